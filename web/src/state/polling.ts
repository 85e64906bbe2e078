// Reads something again and again while the page is visible, for pages that show what nobody announces.
import { isPassing, sentence } from "../api/http";

const EVERY_MS = 3000;
/** In a hidden page that waits for something. */
const HIDDEN_EVERY_MS = 10_000;

export class Polling<Answer> {
  answer: Answer | null = null;
  problem = "";
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The number of the latest read; what earlier ones answer is too old. */
  private latest = 0;

  constructor(
    private readonly read: () => Promise<Answer>,
    /** Called after each read, until it is closed. */
    private readonly onChange: () => void,
    /** Whether to go on, slowly, in a hidden page. */
    private readonly isAwaiting: (answer: Answer) => boolean = () => false,
  ) {}

  open(): void {
    document.addEventListener("visibilitychange", this.resume);
    this.again();
  }

  close(): void {
    this.latest += 1;
    clearTimeout(this.timer);
    document.removeEventListener("visibilitychange", this.resume);
  }

  /** Reads now. What is being read is no longer wanted. */
  again(): void {
    clearTimeout(this.timer);
    void this.step(++this.latest);
  }

  private readonly resume = (): void => {
    if (document.visibilityState === "visible") this.again();
    else this.schedule();
  };

  private async step(number: number): Promise<void> {
    let mayPass = true;
    try {
      const answer = await this.read();
      if (number !== this.latest) return;
      this.answer = answer;
      this.problem = "";
    } catch (error) {
      if (number !== this.latest) return;
      this.problem = sentence(error);
      mayPass = isPassing(error) || this.answer !== null;
    }
    if (mayPass) this.schedule();
    this.onChange();
  }

  /** Sets when to read next, if at all. */
  private schedule(): void {
    clearTimeout(this.timer);
    const isVisible = document.visibilityState === "visible";
    if (!isVisible && (this.answer === null || !this.isAwaiting(this.answer))) return;
    this.timer = setTimeout(
      () => {
        this.again();
      },
      isVisible ? EVERY_MS : HIDDEN_EVERY_MS,
    );
  }
}
