// The lists of the lobby: live games (from a socket), games to join and finished games (both requested).
// `liveAfter` applies a frame; the class keeps the lists up to date while they are shown.
import { getHere, getPast, getRules, getWaiting, type Here } from "../api/lists";
import { sentence } from "../api/http";
import type { GameRules, LiveGame, PastGame, WaitingGame } from "../api/shapes";
import { retryWhileWanted } from "../net/retry";
import { LiveSocket, socketUrl, type Frame, type Link } from "../net/socket";

export interface Lists {
  /** Each list is null until its first answer. */
  readonly live: readonly LiveGame[] | null;
  readonly waiting: readonly WaitingGame[] | null;
  readonly past: readonly PastGame[] | null;
  /** The only kind of games that is listed; empty for all. */
  readonly kind: string;
  /** Whether there are older games than those in `past`. */
  readonly hasMorePast: boolean;
  readonly rules: ReadonlyMap<string, GameRules>;
  /** Null until the first answer. */
  readonly here: Here | null;
  readonly link: Link;
  readonly problem: string;
}

export const EMPTY: Lists = {
  live: null,
  waiting: null,
  past: null,
  kind: "",
  hasMorePast: false,
  rules: new Map(),
  here: null,
  link: "closed",
  problem: "",
};

/** The live games after a frame, the one with the latest move first. */
export function liveAfter(games: readonly LiveGame[] | null, frame: Frame): readonly LiveGame[] | null {
  switch (frame.type) {
    case "snapshot":
      return newestFirst(frame.games as readonly LiveGame[]);
    case "upsert": {
      const game = frame.game as LiveGame;
      return newestFirst([...without(games, game.id), game]);
    }
    case "remove":
      return without(games, String(frame.gameId));
    default:
      return games;
  }
}

function without(games: readonly LiveGame[] | null, id: string): LiveGame[] {
  return (games ?? []).filter((game) => game.id !== id);
}

/** Whether a game was played here, and did not end before the first move. */
function wasPlayed({ ply, imported = false }: PastGame): boolean {
  return ply > 0 && !imported;
}

function newestFirst(games: readonly LiveGame[]): LiveGame[] {
  return games.toSorted((a, b) => b.lastMoveAt - a.lastMoveAt);
}

/** How often the games to join are requested, while the page is visible. */
const REFRESH_MS = 4000;
/** How often the page asks how many are here, while it is visible. */
const COUNT_MS = 20_000;

export class Lobby {
  lists = EMPTY;
  private isOpen = false;
  private cursor: string | null = null;
  private timer: ReturnType<typeof setInterval> | undefined;
  private hereTimer: ReturnType<typeof setInterval> | undefined;
  private readonly socket = new LiveSocket(() => socketUrl("/ws/live-games", { ext: "1" }), {
    onFrame: (frame) => {
      this.receive(frame);
    },
    onLink: (link) => {
      this.change({ link });
    },
  });

  constructor(private readonly onChange: () => void) {}

  open(): void {
    this.isOpen = true;
    this.socket.open();
    this.timer = setInterval(() => {
      if (document.visibilityState === "visible") void this.refresh();
    }, REFRESH_MS);
    this.hereTimer = setInterval(() => {
      if (document.visibilityState === "visible") void this.count();
    }, COUNT_MS);
    for (const load of [() => this.loadRules(), () => this.loadNextPast()])
      void retryWhileWanted(load, {
        isWanted: () => this.isOpen,
        onFailure: (error) => {
          this.change({ problem: sentence(error) });
        },
      });
    void this.refresh();
    void this.count();
  }

  close(): void {
    this.isOpen = false;
    clearInterval(this.timer);
    clearInterval(this.hereTimer);
    this.socket.close();
  }

  /** Lists only games of one kind, or all (empty). */
  async choose(kind: string): Promise<void> {
    this.cursor = null;
    this.change({ kind, past: null, hasMorePast: false });
    await this.loadPast();
  }

  /** The lists with the games of the chosen kind. */
  get chosen(): Lists {
    const { live, waiting, kind } = this.lists;
    const isChosen = ({ game }: { readonly game: string }): boolean => kind === "" || game === kind;
    return {
      ...this.lists,
      live: live?.filter(isChosen) ?? null,
      waiting: waiting?.filter(isChosen) ?? null,
    };
  }

  /** Adds the next page of finished games. */
  async loadPast(): Promise<void> {
    await this.guard(() => this.loadNextPast());
  }

  private async loadNextPast(): Promise<void> {
    const { kind } = this.lists;
    const page = await getPast(kind, this.cursor);
    if (this.lists.kind !== kind) return;
    this.cursor = page.cursor ?? null;
    this.change({
      past: [...(this.lists.past ?? []), ...page.games.filter(wasPlayed)],
      hasMorePast: page.cursor !== undefined,
    });
  }

  private async loadRules(): Promise<void> {
    const rules = await getRules();
    this.change({ rules: new Map(rules.map((row) => [row.game, row])) });
  }

  /** Asks how many are here; without an answer the page says what it knew. */
  private async count(): Promise<void> {
    const here = await getHere().catch(() => this.lists.here);
    this.change({ here });
  }

  private async refresh(): Promise<void> {
    await this.guard(async () => {
      this.change({ waiting: await getWaiting(), problem: "" });
    });
  }

  private receive(frame: Frame): void {
    this.change({ live: liveAfter(this.lists.live, frame) });
    if (frame.type === "remove") void this.newlyPast();
  }

  /** Handles the end of a game: the list of finished games begins with another one. */
  private async newlyPast(): Promise<void> {
    await this.guard(async () => {
      const { kind } = this.lists;
      const { games } = await getPast(kind, null);
      if (this.lists.kind !== kind) return;
      const known = this.lists.past ?? [];
      const fresh = games.filter(
        (game) => wasPlayed(game) && !known.some(({ gameId }) => gameId === game.gameId),
      );
      this.change({ past: [...fresh, ...known] });
    });
  }

  private async guard(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.change({ problem: sentence(error) });
    }
  }

  private change(part: Partial<Lists>): void {
    this.lists = { ...this.lists, ...part };
    this.onChange();
  }
}
