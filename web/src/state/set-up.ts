// A start that is being set up, by hand or as text. What the rules refuse changes nothing, and is said in `problem`.
import * as texts from "#texts/board";
import { sentence } from "../api/http";
import { getPositionAfter, type Start } from "../api/positions";
import type { Position } from "../api/shapes";
import type { Config, SetUp } from "../boards";

export class SetUpDraft {
  problem = "";
  /** Whether the text that was written last is refused. */
  isTextRefused = false;
  private work = Promise.resolve();

  /** `setUp`: that of the board, if it has one. */
  constructor(
    public start: Required<Start>,
    public position: Position,
    private readonly setUp: SetUp | undefined,
    private readonly onChange: () => void,
  ) {
    this.change((setUp, view) => setUp.configOf(view));
  }

  /** Uses a tool, at a point of the board unless it needs none. */
  use(tool: string, point: Parameters<SetUp["after"]>[2]): void {
    this.change((setUp, view) => setUp.after(view, tool, point));
  }

  /** Changes what is on the board; changes follow each other, each to what the one before has led to. */
  private change(work: (setUp: SetUp, view: unknown) => Config | null): void {
    const { setUp } = this;
    if (setUp === undefined) return;
    this.enqueue(async () => {
      const config = work(setUp, this.position.view);
      const kept = Object.entries(this.start.config).filter(([name]) => !setUp.members.includes(name));
      if (config !== null) await this.take({ ...Object.fromEntries(kept), ...config });
    });
  }

  /** Takes a configuration as JSON. */
  read(text: string): void {
    this.enqueue(async () => {
      this.isTextRefused = true;
      await this.take(objectIn(text));
    });
  }

  /** The start, after all changes; null if the text is refused. */
  async settled(): Promise<Required<Start> | null> {
    await this.work;
    return this.isTextRefused ? null : this.start;
  }

  private enqueue(work: () => Promise<void>): void {
    this.work = this.work.then(work).catch((error: unknown) => {
      this.problem = sentence(error);
      this.onChange();
    });
  }

  private async take(config: Config): Promise<void> {
    const start = { ...this.start, config };
    this.position = await getPositionAfter(start, []);
    this.start = start;
    this.isTextRefused = false;
    this.problem = "";
    this.onChange();
  }
}

function objectIn(text: string): Config {
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read === "object" && read !== null && !Array.isArray(read)) return read as Config;
  } catch {
    // Said below.
  }
  throw new Error(texts.notJson);
}
