// What was played from the position on the analysis board. It asks when a position has been shown for a moment, and
// remembers the answers. The element reads the members and calls the methods, which never throw.
import * as texts from "#texts/explorer";
import { explore, type Explored, type Source } from "../api/explorer";
import { sentence } from "../api/http";
import { getBots } from "../api/lists";
import type { Start } from "../api/positions";
import { retryWhileWanted } from "../net/retry";
import { store, stored } from "./stored";

const KEY = "plyhouse-explorer";

/** How long a position is shown before it is asked for: who leafs through a line asks for few. */
const REST_MS = 120;

/** How many answers are remembered. */
const KEPT = 200;

/** One of the sources that can be chosen. `value` is unique among them. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

export const SELF_PLAY = "engine";

const USUAL: readonly Choice[] = [
  { value: "", label: texts.everybody },
  { value: "people", label: texts.people },
  { value: "bots", label: texts.bots },
];

interface Kept {
  readonly isOpen: boolean;
  readonly source: string;
}

export class Openings {
  problem = "";
  isOpen: boolean;
  /** The chosen source. */
  source: string;
  /** The games of this server that can be chosen: by who played. */
  choices = USUAL;
  private start: Start | null = null;
  private moves: readonly string[] = [];
  private isClosed = false;
  private hasBots = false;
  private readonly found = new Map<string, Explored>();
  private asking = new AbortController();

  constructor(private readonly onChange: () => void) {
    const kept = stored<Partial<Kept>>(KEY, {});
    this.isOpen = kept.isOpen === true;
    this.source = typeof kept.source === "string" ? kept.source : "";
  }

  /** The answer for the position and source; null until it is there. */
  get explored(): Explored | null {
    return this.found.get(this.key) ?? null;
  }

  /** Turns to the position after these moves. */
  look(start: Start | null, moves: readonly string[]): void {
    this.start = start;
    this.moves = moves;
    this.restart();
  }

  open(isOpen: boolean): void {
    if (isOpen === this.isOpen) return;
    this.isOpen = isOpen;
    this.keep();
    this.restart();
  }

  choose(source: string): void {
    this.source = source;
    this.keep();
    this.restart();
  }

  close(): void {
    this.isClosed = true;
    this.asking.abort();
  }

  private get key(): string {
    return JSON.stringify([this.start, this.source, this.moves]);
  }

  private keep(): void {
    const kept: Kept = { isOpen: this.isOpen, source: this.source };
    store(KEY, kept);
  }

  private restart(): void {
    this.asking.abort();
    this.problem = "";
    if (this.isOpen && this.start !== null && !this.isClosed) {
      this.asking = new AbortController();
      void this.listBots(this.start);
      if (this.explored === null) void this.ask(this.start, this.asking);
    }
    this.onChange();
  }

  private async ask(start: Start, { signal }: AbortController): Promise<void> {
    const { key, moves, source } = this;
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    if (signal.aborted) return;
    await retryWhileWanted(
      async () => {
        this.remember(key, await explore(start, moves, sourceOf(source), { signal }));
        this.tell(signal, "");
      },
      {
        isWanted: () => !signal.aborted,
        onFailure: (error) => {
          this.tell(signal, sentence(error));
        },
      },
    );
  }

  private tell(signal: AbortSignal, problem: string): void {
    if (signal.aborted) return;
    this.problem = problem;
    this.onChange();
  }

  private remember(key: string, explored: Explored): void {
    this.found.set(key, explored);
    const [oldest] = this.found.keys();
    if (this.found.size > KEPT && oldest !== undefined) this.found.delete(oldest);
  }

  /** The bots of the variant, by which games can be chosen. Without them there are fewer choices. */
  private async listBots({ game, variant = "" }: Start): Promise<void> {
    if (this.hasBots) return;
    this.hasBots = true;
    try {
      const bots = await getBots(game, variant, null);
      this.choices = [...USUAL, ...bots.map(({ id, name }) => ({ value: id, label: name }))];
    } catch {
      this.hasBots = false;
    }
    const isKnown = this.source === SELF_PLAY || this.choices.some(({ value }) => value === this.source);
    if (this.isClosed) return;
    if (isKnown || !this.hasBots) this.onChange();
    else this.choose("");
  }
}

function sourceOf(source: string): Source {
  if (source === SELF_PLAY) return { source: "engine" };
  return source === "" ? { source: "server" } : { source: "server", by: source };
}
