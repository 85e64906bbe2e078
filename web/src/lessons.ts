// The lessons: one file of texts and positions per game, `texts/<language>/lessons/<game>.json`. A new game only adds such a
// file. Called by the page that teaches a game.

/** What the reader has to read and to do. */
export interface Step {
  readonly title: string;
  /** What holds in every game; puzzles have none. */
  readonly rule?: string;
  /** What the reader sees in this position. */
  readonly scene?: string;
  /** The move that the reader is asked for. */
  readonly task: string;
  /** Where the reader moves. */
  readonly start: {
    readonly variant?: string;
    readonly config?: Readonly<Record<string, unknown>>;
    readonly moves?: readonly string[];
  };
  /** Completes the reader's move in the record: a tile drawn after it, or the other seats' parts of the turn. */
  readonly rest?: string;
  /** What the reader has to reach: a win now, a turn without losing, or a win that nothing prevents. */
  readonly goal?: "win" | "safe" | "forced";
  /** A pattern of the moves that solve the task; with the goal "win", the rules decide instead. */
  readonly accept?: string;
  /** Patterns of other moves, each with what is wrong about them. The first one that fits is shown. */
  readonly wrong: readonly (readonly [pattern: string, sentence: string])[];
  /** What is to be learnt from the move. */
  readonly done: string;
}

export interface Lesson {
  readonly steps: readonly Step[];
  readonly puzzles: readonly Step[];
}

const files = Object.fromEntries(
  Object.entries(import.meta.glob<Lesson>("#texts/lessons/*.json", { import: "default" })).map(
    ([path, load]) => [path.slice(path.lastIndexOf("/") + 1, -5), load],
  ),
);

/** The lesson of a game; null if it has none. */
export async function lessonOf(game: string): Promise<Lesson | null> {
  return (await files[game]?.()) ?? null;
}

/** The games that can be learnt. */
export const LEARNABLE: readonly string[] = Object.keys(files);
