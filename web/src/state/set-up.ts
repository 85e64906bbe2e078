// A start that is being set up, by hand or as text. What the rules refuse changes nothing, and is said in `problem`.
import { sentence } from "../api/http";
import { getPositionAfter, type Start } from "../api/positions";
import type { Position } from "../api/shapes";
import type { Config } from "../boards";

export class SetUpDraft {
  problem = "";
  isBusy = false;

  constructor(
    public start: Required<Start>,
    public position: Position,
    private readonly onChange: () => void,
  ) {}

  /** Takes another configuration if the rules allow it. */
  async take(config: Config): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    const start = { ...this.start, config };
    try {
      this.position = await getPositionAfter(start, []);
      this.start = start;
      this.problem = "";
    } catch (error) {
      this.problem = sentence(error);
    } finally {
      this.isBusy = false;
      this.onChange();
    }
  }

  /** The same as JSON. */
  async read(text: string): Promise<void> {
    try {
      const read: unknown = JSON.parse(text);
      if (typeof read !== "object" || read === null || Array.isArray(read)) throw new SyntaxError();
      await this.take(read as Config);
    } catch {
      this.problem = "This is not a JSON object.";
      this.onChange();
    }
  }
}
