// The boards: one custom element a game, `<game>-board` in `boards/<game>.ts`. A further game adds that file only.
// Called by the pages that show a game, and by the board that other sites embed.

/**
 * What every board takes and gives. It fires "action" with the text of the legal action that was picked, and "aim" with
 * that of one that a finger may have meant, or null for none: a second tap on it, or the page, picks it.
 */
export interface BoardElement<View = unknown> extends HTMLElement {
  /** The `view` of a position. */
  view: View | null;
  /** The actions that may be picked now; none for spectators. */
  legal: readonly string[];
  /** Actions of the move being made that the server does not have yet. */
  staged: readonly string[];
  /** The legal action that was aimed at. */
  aimed: string | null;
  /** Text of the move that led to `view`. */
  lastMove: string | null;
  /** A move of the seat to act that is pointed out, such as an engine's best. */
  hint: string | null;
  /** Seen from the other side. */
  isFlipped: boolean;
  /** The seat whose player sits below, for boards with things beside them that belong to seats. */
  below?: number;
  /** Custom properties of the page that are different for this game, such as the colours of its seats. */
  readonly colours?: Readonly<Record<string, string>>;
  /** How a turn is played here, for those who have never seen the game. */
  readonly lesson: string;
  /** How wide the board is when it is as high as `height`; both in CSS pixels. */
  widthFor(height: number): number;
  /** The text of the move, or the beginning of one, that consists of these actions. */
  compose(actions: readonly string[]): string;
  /** A move in words, for those who do not see the board. */
  spell(move: string): string;
}

/** Gives the page around a board the colours of its game. */
export function dress(page: HTMLElement, { colours = {} }: BoardElement): void {
  for (const [name, colour] of Object.entries(colours)) page.style.setProperty(name, colour);
}

const modules = import.meta.glob("./boards/*.ts");

/** A fresh board of the game; its code is loaded on first use. */
export async function createBoard(game: string): Promise<BoardElement> {
  const load = modules[`./boards/${game}.ts`];
  if (load === undefined) throw new Error(`This page has no board for ${game}.`);
  await load();
  return document.createElement(`${game}-board`) as BoardElement;
}
