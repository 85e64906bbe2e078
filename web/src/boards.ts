// The boards: one custom element per game, `<game>-board` in `boards/<game>.ts`. A new game only adds such a file.
// Called by the pages that show a game, and by the embedded board.

import * as texts from "#texts/server";
import { getRules } from "./api/client";
import type { Game, GameRules } from "./api/shapes";
import type { Point } from "./boards/common/arrows";
import type { Spot } from "./boards/common/placing";

/** The seat whose player is shown below a board: `own`, or if the board is flipped, the one before it. */
export function seatBelow(seats: number, isFlipped: boolean, own = 0): number {
  return isFlipped ? (own + seats - 1) % seats : own;
}

/**
 * The interface of all boards. A board fires "action" with the text of the picked legal action, and "aim" with that
 * of one that a touch may have meant, or null for none: a second tap on it, or the page, picks it. It fires "unstage" with
 * the index of a staged action that the player takes back.
 * It fires "blocked" with what the player has tried in vain, so that the page says why it is not possible.
 */
export interface BoardElement<View = unknown> extends HTMLElement {
  /** The `view` of a position. */
  view: View | null;
  /** The actions that can be picked now; empty for spectators. */
  legal: readonly string[];
  /** Actions of the move being made that were not sent to the server yet. */
  staged: readonly string[];
  /** The legal action that is aimed at. */
  aimed: string | null;
  /** Text of the move that led to `view`. */
  lastMove: string | null;
  /** A move of the seat to act to point out, such as an engine's best move. */
  hint: string | null;
  /** Whether the board is seen from the other side. */
  isFlipped: boolean;
  /** The seat of the player below, for boards with reserves of pieces at their sides. */
  below?: number;
  /** The seat that the viewer plays in a running game, for boards that need it; null for spectators. */
  seat?: number | null;
  /** The viewer's move in a turn that others have yet to complete. Nobody else sees it. */
  sealed?: string | null;
  /** Whether `legal` and `staged` are actions of the viewer's next turn, made in advance. */
  isPremove?: boolean;
  /** Whether another site shows the board. The wheel then scrolls that site's page, and zooms only with Ctrl. */
  isEmbedded?: boolean;
  /** The game's `about` from `GET /api/rules`, for boards that draw from its tables. */
  about?: unknown;
  /** The variant that is played, for the same boards. */
  variant?: string;
  /** Custom CSS properties of the page that this game overrides, such as the colours of its seats. */
  readonly colours?: Readonly<Record<string, string>>;
  /** The record format of this game, and its label. */
  readonly recordFormat?: readonly [format: string, label: string];
  /** How to play a turn, for new players. */
  readonly lesson: string;
  /** The width of a board of this height; both in CSS pixels. */
  widthFor(height: number): number;
  /** The text of the move, or of its beginning, that consists of these actions. */
  compose(actions: readonly string[]): string;
  /** The legal actions after those of a turn, on boards that know them; none if the turn is complete. */
  followUps?(actions: readonly string[]): readonly string[];
  /**
   * What the viewer may want to do after those actions of its next turn, while others move; none if that turn is complete.
   * Boards without this method take no moves in advance.
   */
  premoves?(actions: readonly string[]): readonly string[];
  /** An action that was chosen in an earlier position, in the words of this one. */
  renewed?(action: string): string;
  /** The points of all seats in a view, on boards of games with points. */
  pointsIn?(view: View): number;
  /** How positions are set up by hand, on boards where that is possible. */
  readonly setUp?: SetUp<View>;
  /** The tool in hand while a position is set up; null otherwise. A click then fires "place" with where it was. */
  tool?: string | null;
  /** A refusal of the rules in words. */
  inWords?(text: string): string;
  /** A move in words, for screen readers. */
  spell(move: string): string;
}

/** A configuration of a start, as in `POST /api/games`. */
export type Config = Readonly<Record<string, unknown>>;

/** What a click on the board places or removes while a position is set up. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** Whether it needs no click on the board. */
  readonly isInstant?: boolean;
}

/** Setting up a position by hand. The rules say later whether a configuration is possible. */
export interface SetUp<View = unknown> {
  /** The members of a configuration that say what is on the board at the start; others are rules, and stay. */
  readonly members: readonly string[];
  tools(view: View): readonly Tool[];
  /** The configuration that starts with what is on the board. */
  configOf(view: View): Config;
  /** Where the keyboard can use a tool. */
  spots(view: View, tool: string): readonly Spot[];
  /** The configuration after the use of a tool at a point of the board, which is not flipped; null if that does nothing. */
  after(view: View, tool: string, point: Point | null): Config | null;
}

/** A move that the rules refuse, and may say why, or the reason itself. */
export type Blocked = { readonly move: string } | { readonly why: string };

/** Applies the game's colours to the page around the board. */
export function dress(page: HTMLElement, { colours = {} }: BoardElement): void {
  for (const [name, colour] of Object.entries(colours)) page.style.setProperty(name, colour);
}

const modules = import.meta.glob("./boards/*.ts");

/** Loads the code of a game's board. */
export async function loadBoard(game: string): Promise<void> {
  const load = modules[`./boards/${game}.ts`];
  if (load === undefined) throw new Error(texts.noBoard(game));
  await load();
}

/**
 * Creates a board for the game; its code is loaded on first use. `server`: the one that has the game; `about`: what its
 * catalogue says about the game, if that is known.
 */
export async function createBoard(
  { game, variant }: Pick<Game, "game" | "variant">,
  { about, ...where }: { readonly server?: string; readonly about?: GameRules["about"] | undefined } = {},
): Promise<BoardElement> {
  await loadBoard(game);
  const board = document.createElement(`${game}-board`) as BoardElement;
  if ("about" in board) {
    board.about = about ?? (await getRules(where)).find((row) => row.game === game)?.about;
    board.variant = variant;
  }
  return board;
}
