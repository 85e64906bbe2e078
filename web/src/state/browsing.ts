// Browses earlier positions of a game while it continues. The server supplies them; this class tracks which one is
// wanted and caches those that it has loaded. The game page reads `position`.
import type { Position } from "../api/shapes";
import { askable } from "./evaluation";
import { historyUntil } from "./moves";

type Load = (ply: number) => Promise<Position>;

export class Browsing {
  /** The earlier position that is shown; null for the current one. */
  position: Position | null = null;
  private live: Position | null = null;
  /** The ply last asked for; null for the current one. */
  private wanted: number | null = null;
  /** By the moves that led there, so that takebacks do not invalidate it. */
  private readonly seen = new Map<string, Position>();

  constructor(
    private readonly load: Load,
    private readonly onChange: () => void,
    private readonly onProblem: (error: unknown) => void,
  ) {}

  /** The ply that was asked for last, whether shown already or not. */
  get ply(): number {
    return this.wanted ?? this.live?.ply ?? 0;
  }

  /** The same; null if it is not askable (state/evaluation.ts). */
  get askable(): number | null {
    return this.wanted ?? (this.live && askable(this.live));
  }

  /** Sets the current position. The shown one stays, unless the game no longer leads there. */
  follow(live: Position): void {
    this.live = live;
    this.seen.set(keyOf(live.history, live.ply), live);
    const isLost = this.position !== null && !startsWith(live.history, this.position.history);
    if (isLost || (this.wanted ?? 0) > live.ply) this.backToLive();
  }

  backToLive(): void {
    this.wanted = this.position = null;
    this.onChange();
  }

  /** Shows the position after `ply` moves, or the nearest one. */
  async show(ply: number): Promise<void> {
    if (this.live === null) return;
    const at = Math.max(0, Math.min(ply, this.live.ply));
    if (at === this.live.ply) {
      this.backToLive();
      return;
    }
    this.wanted = at;
    this.onChange();
    const position = await this.find(at, this.live.history);
    if (this.wanted !== at) return;
    if (position === null) this.wanted = this.position?.ply ?? null;
    else this.position = position;
    this.follow(this.live);
    this.onChange();
  }

  private async find(ply: number, history: readonly string[]): Promise<Position | null> {
    const key = keyOf(history, ply);
    const known = this.seen.get(key);
    if (known !== undefined) return known;
    try {
      const position = await this.load(ply);
      this.seen.set(keyOf(position.history, ply), position);
      return position;
    } catch (error) {
      this.onProblem(error);
      return null;
    }
  }
}

function keyOf(history: readonly string[], ply: number): string {
  return historyUntil(history, ply).join(" ");
}

function startsWith(history: readonly string[], beginning: readonly string[]): boolean {
  return beginning.every((move, index) => history[index] === move);
}
