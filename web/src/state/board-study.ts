// The analysis board: a tree of variations, the position at the place that is shown, and the move being made there.
// The server knows the rules. The page reads the members and calls the methods, which never throw: errors are in `problem`.
import * as board from "#texts/board";
import * as texts from "#texts/variations";
import { getGame } from "../api/client";
import { ApiError, sentence, whyRefused } from "../api/http";
import { getRules } from "../api/lists";
import { getPositionAfter, type Start } from "../api/positions";
import { writeRecord } from "../api/variations";
import type { GameRules, Position } from "../api/shapes";
import type { Blocked, BoardElement } from "../boards";
import { retryWhileWanted } from "../net/retry";
import { boardPath, shownIn } from "./board-address";
import { whileBusy } from "./busy";
import { keptTree, keepTree } from "./kept-tree";
import { isUnassisted } from "./labels";
import { historyUntil, legalOf, movesOf } from "./moves";
import { Positions } from "./positions";
import {
  LONGEST_LINE,
  MOST_BRANCHES,
  MOST_NESTED,
  START,
  movesAt,
  withMoves,
  withTexts,
  withoutBranch,
  type Branch,
  type Path,
  type Place,
} from "./variations";
import { boardOf, treeIn } from "./records";
import { listed, writeTree } from "./variations-file";

const FULL = texts.full(MOST_BRANCHES, LONGEST_LINE, MOST_NESTED);

type Composer = Pick<BoardElement, "compose">;

export class BoardStudy {
  rules: GameRules | null = null;
  start: Required<Start> | null = null;
  place: Place = { root: START, path: [] };
  /** The position on the board; null until the first answer. */
  position: Position | null = null;
  /** The moves that lead to `position`. */
  private shownMoves: readonly string[] = [];
  /** Actions of the move being made, what can follow, and whether it is complete. */
  staged: readonly string[] = [];
  legal: readonly string[] = [];
  canFinish = false;
  /** Where the seats act together: the moves of those that have chosen. */
  parts: readonly string[] = [];
  isBusy = false;
  /** Whether the board shows a running game that is played without assistance: then no engine helps. */
  isUnassisted = false;
  problem = "";
  /** The game of the server that the start and the first moves come from. */
  private from: { readonly gameId: string; readonly moves: readonly string[] } | null = null;
  /** The record that the board was opened from; empty for none. */
  private record = "";
  /** How many moves of the last line that was refused are legal; null if that was not the reason. */
  private legalPlies: number | null = null;
  private isClosed = false;
  private readonly positions = new Positions<readonly string[]>(
    (moves) => moves.join(" "),
    (moves) => this.ask(moves),
  );

  constructor(
    readonly game: string,
    private readonly onChange: () => void,
  ) {}

  /** Opens what a fragment of an address shows. */
  async open(fragment: string): Promise<void> {
    await this.untilAnswered(() => this.load(fragment));
    if (this.start !== null) await this.look(this.place.path);
    if (this.position === null && this.legalPlies !== null) await this.lookBefore(this.legalPlies);
  }

  /** Shows an illegal line up to its last legal move, and keeps saying what is wrong. */
  private async lookBefore(count: number): Promise<void> {
    const { problem, place } = this;
    await this.turnTo(withoutBranch({ ...place, path: place.path.slice(0, count + 1) }));
    this.change({ problem });
  }

  close(): void {
    this.isClosed = true;
  }

  private async load(fragment: string): Promise<void> {
    const { from, record, variant, config, moves } = shownIn(fragment);
    const rules = (await getRules()).find((row) => row.game === this.game);
    if (rules === undefined) throw new Error(board.noGame(this.game));
    const source = from === null ? null : await getGame(from.gameId);
    if (source !== null && source.game !== this.game) throw new Error(board.otherGame(source.gameId));
    this.rules = rules;
    const game = this.game;
    this.start = source ?? { game, variant: variant || (rules.variants[0] ?? ""), config };
    this.start = { game, variant: this.start.variant, config: this.start.config };
    this.isUnassisted = source !== null && isUnassisted(source);
    const played = source?.position.history ?? [];
    this.from = source === null ? null : { gameId: source.gameId, moves: played };
    const before = historyUntil(played, from?.ply ?? 0);
    this.record = record;
    const kept = keptTree(this.start, this.source);
    const root = kept?.root ?? withMoves({ root: START, path: [] }, played).root;
    this.place = withMoves({ root, path: [] }, [...before, ...moves]);
  }

  /** What the board was opened from. */
  private get source(): string | null {
    return this.from?.gameId ?? (this.record || null);
  }

  // ---- where we are ----------------------------------------------------------------------------

  get moves(): readonly string[] {
    return movesAt(this.place);
  }

  /** The address of what is shown. */
  get path(): string {
    const { start, moves, from } = this;
    const { variant = "", config = {} } = start ?? {};
    if (from === null) return boardPath(this.game, { record: this.record, variant, config, moves });
    const { ply, count } = commonBeginning(from.moves, moves);
    return boardPath(this.game, { from: { gameId: from.gameId, ply }, moves: moves.slice(count) });
  }

  /** The seat that makes the next part of a move. */
  get seat(): number {
    return this.position?.toAct[this.parts.length] ?? 0;
  }

  /** Whether the board shows the place, and not the one before while a position is on its way. */
  get isShown(): boolean {
    const { moves, shownMoves } = this;
    return moves.length === shownMoves.length && moves.every((move, ply) => move === shownMoves[ply]);
  }

  /** Shows another place of the tree. */
  async look(path: Path): Promise<void> {
    await this.turnTo({ ...this.place, path });
  }

  /** Plays whole moves from where we are. */
  async play(moves: readonly string[]): Promise<void> {
    const { place } = this;
    const next = withMoves(place, moves);
    if (next.path.length < place.path.length + moves.length) this.change({ problem: FULL });
    else await this.turnTo(next);
  }

  /** Shows a changed tree, or another place in it. */
  async turnTo(place: Place): Promise<void> {
    const { start } = this;
    if (start === null) return;
    const isKept = place.root === this.place.root || this.keep(start, place.root);
    this.place = place;
    const { moves } = this;
    this.change({ staged: [], parts: [], legal: [] });
    await this.untilAnswered(
      async () => {
        const position = await this.positions.get(moves);
        if (this.isClosed || this.place !== place) return;
        this.place = withTexts(place, position.history);
        if (this.place !== place) this.keep(start, this.place.root);
        this.shownMoves = position.history;
        this.position = position;
        this.problem = isKept ? "" : texts.noRoom;
        this.unstage();
      },
      () => this.place === place,
    );
  }

  private keep(start: Required<Start>, root: Branch): boolean {
    return keepTree({ start, root }, this.source);
  }

  // ---- files -----------------------------------------------------------------------------------

  get written(): string {
    return this.start === null ? "" : writeTree({ start: this.start, root: this.place.root });
  }

  /** The tree in a format of the game; null if the server does not write it. */
  async writtenAs(format: string): Promise<string | null> {
    const { start, place } = this;
    if (start === null) return null;
    try {
      return await writeRecord(listed({ start, root: place.root }), format);
    } catch (error) {
      this.change({ problem: sentence(error) });
      return null;
    }
  }

  /** Replaces the tree by a written one, or by a record; of another game or start, it returns the address of its board. */
  async read(text: string): Promise<string | null> {
    try {
      const { written, notes } = await treeIn(text);
      const first = await getPositionAfter(written.start, []);
      if (!(await this.beginsWith(written.start, first))) {
        const path = boardOf(written, "start");
        return this.isClosed ? null : path;
      }
      await this.turnTo({ root: written.root, path: [] });
      if (notes.length > 0) this.change({ problem: notes.join(" ") });
    } catch (error) {
      this.change({ problem: sentence(error) });
    }
    return null;
  }

  /** Whether the board has this start, which the configuration may say more or less completely. */
  private async beginsWith(start: Required<Start>, first: Position): Promise<boolean> {
    if (start.game !== this.game || start.variant !== this.start?.variant) return false;
    if (JSON.stringify(start) === JSON.stringify(this.start)) return true;
    const isUsual = Object.keys(start.config).length === 0;
    return isUsual && JSON.stringify((await this.positions.get([])).view) === JSON.stringify(first.view);
  }

  // ---- a move being made -----------------------------------------------------------------------

  /** Adds an action to the move; plays it if it is complete. */
  async stage(action: string, board: Composer): Promise<void> {
    const staged = [...this.staged, action];
    const { place } = this;
    await this.act(async () => {
      const move = board.compose(staged);
      if (this.isSimultaneous) {
        await this.add(move);
        return;
      }
      const { legal, canFinish } = await this.ask(this.moves, move);
      if (this.place !== place) return; // Another position is shown by now.
      if (legalOf(legal, this.seat).length === 0) await this.play([move]);
      else this.change({ staged, legal: legalOf(legal, this.seat), canFinish });
    });
  }

  /** Plays the move as it stands. */
  async finish(board: Composer): Promise<void> {
    await this.act(() => this.play([board.compose(this.staged)]));
  }

  /** Drops what is staged. */
  readonly unstage = (): void => {
    const { position } = this;
    if (position === null) return;
    const canFinish = position.status === "playing" && position.canFinish;
    this.change({ staged: [], parts: [], canFinish, legal: legalOf(position.legal, position.toAct[0] ?? 0) });
  };

  /** Says why something is not possible; for a move, what the rules say. */
  async explain(tried: Blocked, board: Pick<BoardElement, "inWords">): Promise<void> {
    const { place } = this;
    await this.act(async () => {
      const ask = (move: string): Promise<unknown> => this.ask(this.moves, move);
      const why = "why" in tried ? tried.why : await whyRefused(() => ask(tried.move), tried.move);
      if (why !== null && this.place === place) this.change({ problem: board.inWords?.(why) ?? why });
    });
  }

  private get isSimultaneous(): boolean {
    return (this.position?.toAct.length ?? 0) > 1;
  }

  /** Adds the move of one seat where all act together. */
  private async add(part: string): Promise<void> {
    const parts = [...this.parts, part];
    if (parts.length === this.position?.toAct.length) {
      await this.play([parts.join("/")]);
      return;
    }
    this.parts = parts;
    this.change({ legal: legalOf(this.position?.legal ?? [], this.seat) });
  }

  private async act(work: () => Promise<void>): Promise<void> {
    if (this.isBusy || !this.isShown) return;
    await whileBusy(work, (part) => {
      this.change(part);
    });
  }

  // ---- asking ----------------------------------------------------------------------------------

  private ask(moves: readonly string[], staged = ""): Promise<Position> {
    return getPositionAfter(this.start ?? { game: this.game }, moves, staged);
  }

  private async untilAnswered(
    request: () => Promise<void>,
    isStillWanted = (): boolean => true,
  ): Promise<void> {
    const isWanted = (): boolean => !this.isClosed && isStillWanted();
    const onFailure = (error: unknown): void => {
      if (!isWanted()) return;
      this.legalPlies = error instanceof ApiError ? error.ply : null;
      this.change({ problem: sentence(error) });
    };
    await retryWhileWanted(request, { isWanted, onFailure });
  }

  private change(
    part: Partial<Pick<BoardStudy, "staged" | "legal" | "canFinish" | "parts" | "isBusy" | "problem">>,
  ): void {
    Object.assign(this, part);
    if (!this.isClosed) this.onChange();
  }
}

/** How many entries of a game's history and plies the moves have in common with it, from the start. */
export function commonBeginning(
  history: readonly string[],
  moves: readonly string[],
): { readonly ply: number; readonly count: number } {
  for (let ply = movesOf(history).length; ply > 0; ply--) {
    const beginning = historyUntil(history, ply);
    if (beginning.every((entry, index) => moves[index] === entry)) return { ply, count: beginning.length };
  }
  return { ply: 0, count: 0 };
}
