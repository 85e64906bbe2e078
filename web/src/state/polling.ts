// Reads something again and again while the page is visible, for pages that show what nobody announces.
import { isPassing, sentence } from "../api/http";

const EVERY_MS = 3000;

export class Polling<Answer> {
  answer: Answer | null = null;
  problem = "";
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isOpen = false;

  constructor(
    private readonly read: () => Promise<Answer>,
    private readonly onChange: () => void,
  ) {}

  open(): void {
    this.isOpen = true;
    document.addEventListener("visibilitychange", this.resume);
    void this.step();
  }

  close(): void {
    this.isOpen = false;
    clearTimeout(this.timer);
    document.removeEventListener("visibilitychange", this.resume);
  }

  private readonly resume = (): void => {
    clearTimeout(this.timer);
    if (document.visibilityState === "visible") void this.step();
  };

  private async step(): Promise<void> {
    let mayPass = true;
    try {
      this.answer = await this.read();
      this.problem = "";
    } catch (error) {
      this.problem = sentence(error);
      mayPass = isPassing(error) || this.answer !== null;
    }
    if (!this.isOpen) return;
    this.onChange();
    const isShown = document.visibilityState === "visible";
    if (isShown && mayPass) this.timer = setTimeout(() => void this.step(), EVERY_MS);
  }
}
