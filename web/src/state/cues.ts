// Tells a player what happens in a game: sounds, and a notification if the page is hidden. Called by the game page after
// every change.
import * as texts from "#texts/game";
import type { BoardElement } from "../boards";
import type { Game, GameRules } from "../api/shapes";
import { leftAt, lowBelow } from "./clock";
import { gameLine } from "./labels";
import type { GameSession } from "./session";
import { settings } from "./settings";
import { play, type Sound } from "./sounds";

/** What a change of the position is compared by. */
interface Moment {
  readonly ply: number;
  readonly status: string;
  readonly isToMove: boolean;
  /** The points of all seats. */
  readonly points: number;
}

export class Cues {
  private last: Moment | null = null;
  private lowTimer: ReturnType<typeof setTimeout> | undefined;

  /** `board`: null until there is one. */
  follow(session: GameSession, board: BoardElement | null): void {
    const { game } = session.state;
    if (game === null || board === null) return;
    const before = this.last;
    const now = momentOf(game, board);
    this.last = now;
    this.watchClock(session);
    if (before === null || now.ply < before.ply) return;
    const sound = soundOf(before, now);
    if (sound !== null) play(sound);
    if (now.isToMove && !before.isToMove) notify(game, session.state.about);
  }

  close(): void {
    clearTimeout(this.lowTimer);
  }

  /** Warns when the time that runs gets low. */
  private watchClock({ seat, state: { clocks, snapshot } }: GameSession): void {
    clearTimeout(this.lowTimer);
    if (seat === null || !clocks.running.includes(seat)) return;
    const left = leftAt(clocks, seat, Date.now());
    const low = lowBelow(snapshot?.config?.timeControl);
    if (left === null || left <= low) return;
    this.lowTimer = setTimeout(() => {
      play("low");
    }, left - low);
  }
}

function momentOf({ position, seatIndex }: Game, board: BoardElement): Moment {
  const { ply, status, toAct, view } = position;
  const isToMove = status === "playing" && seatIndex !== null && toAct.includes(seatIndex);
  return { ply, status, isToMove, points: board.pointsIn?.(view) ?? 0 };
}

/** The sound of a change; null if there is nothing to hear. */
export function soundOf(before: Moment, now: Moment): Sound | null {
  if (before.status === "playing" && now.status === "finished") return "end";
  if (now.points > before.points) return "score";
  if (now.isToMove && !before.isToMove) return "turn";
  return now.ply > before.ply ? "move" : null;
}

function notify(game: Game, about: GameRules["about"]): void {
  const isWanted = settings().notifications && document.hidden;
  if (!isWanted || typeof Notification === "undefined" || Notification.permission !== "granted") return;
  try {
    const notice = new Notification(texts.yourTurn, { body: gameLine(about, game), tag: game.gameId });
    notice.onclick = () => {
      window.focus();
      notice.close();
    };
  } catch {
    // Browsers of phones notify for installed pages only.
  }
}
