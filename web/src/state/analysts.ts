// Who can analyse positions in place of the server's engine: attached bots whose authors offer it. They come and go, so the
// list is read again when somebody is about to choose. Read by the board page.
import { getBots } from "../api/lists";
import type { Start } from "../api/positions";
import type { Board, Bot } from "../api/shapes";
import { withRetries } from "../net/retry";

export class Analysts {
  listed: readonly Bot[] = [];

  constructor(
    private readonly start: Required<Start>,
    private readonly onChange: () => void,
  ) {}

  /** Reads the list. If the server does not answer, the one before stays: the engine says what is wrong. */
  readonly load = async (): Promise<void> => {
    const { game, variant, config } = this.start;
    try {
      const bots = await withRetries(() => getBots(game, variant, boardIn(config)));
      this.listed = bots.filter(({ analyses }) => analyses === true);
    } catch {
      return;
    }
    this.onChange();
  };

  /** Those to choose from, with the chosen one even if it has left. */
  with(chosen: Bot | null): readonly Bot[] {
    return chosen === null || this.has(chosen) ? this.listed : [...this.listed, chosen];
  }

  has({ id }: Bot): boolean {
    return this.listed.some((bot) => bot.id === id);
  }
}

/** The board in a configuration that has one. */
function boardIn({ boardWidth, boardHeight }: Start["config"] & object): Board | null {
  return typeof boardWidth === "number" && typeof boardHeight === "number"
    ? { boardWidth, boardHeight }
    : null;
}
