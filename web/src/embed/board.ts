// <plyhouse-board>: shows a game of a Plyhouse server on any page, with buttons to go through its moves. Attributes: game-id,
// server, ply, flipped, evaluation (shows an evaluation bar; without it nothing is evaluated), graph (with evaluation, shows
// that of all moves as a curve). It is as wide as its container, and fits into the height that the page gives it, if any.
import { LitElement, html, unsafeCSS, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import * as common from "#texts/common";
import { getGame } from "../api/client";
import type { Game } from "../api/shapes";
import { createBoard, seatBelow, type BoardElement } from "../boards";
import { controls } from "../elements/controls";
import { EvalBar } from "../elements/eval-bar";
import { EvalGraph, type Charted } from "../elements/eval-graph";
import { Browsing } from "../state/browsing";
import { EvalFeed, basisAt, worthAt } from "../state/evaluation";
import { movesOf } from "../state/moves";
import { GameSession } from "../state/session";
import { playerName, statusText } from "../state/labels";
import { analysisPath, gamePath } from "../state/route";
import type { Worth } from "../state/worth";
import theme from "../theme.css?inline";
import { boardStyles } from "./board-styles";
import { faultOf, serverFault, serverOf, textAttribute } from "./home";
import { fitBoard, paint } from "./surroundings";
import { drawEmpty, drawWalk } from "./walk";

/** The bar next to a board, under its own name, as the page may define another <eval-bar>. */
@customElement("plyhouse-bar")
export class InnerBar extends EvalBar {}

/** The curve below a board, likewise. */
@customElement("plyhouse-graph")
export class InnerGraph extends EvalGraph {}

@customElement("plyhouse-board")
export class PlyhouseBoard extends LitElement {
  static override styles = [unsafeCSS(theme), controls, boardStyles];

  @property({ attribute: "game-id", converter: textAttribute }) gameId = "";
  /** Address of the server; by default the one that the script was loaded from. */
  @property({ converter: textAttribute }) server = "";
  /** The position after so many moves; by default the current one. */
  @property({ type: Number }) ply: number | null = null;
  @property({ type: Boolean }) flipped = false;
  @property({ type: Boolean }) evaluation = false;
  @property({ type: Boolean }) graph = false;

  @state() private board: BoardElement | null = null;
  private session: GameSession | null = null;
  private browsing: Browsing | null = null;
  private feed: EvalFeed | null = null;
  private readonly paint = new CSSStyleSheet();
  private readonly resizing = new ResizeObserver(() => {
    this.fit();
  });

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot() as ShadowRoot;
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, this.paint];
    return root;
  }

  override disconnectedCallback(): void {
    this.resizing.disconnect();
    window.removeEventListener("resize", this.fit);
    this.leave();
    super.disconnectedCallback();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.resizing.observe(this);
    window.addEventListener("resize", this.fit);
    if (this.hasUpdated) this.enter();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("gameId") || changed.has("server")) this.enter();
    else if (changed.has("ply")) this.turnTo(this.ply);
    if (changed.has("evaluation")) this.evaluate();
    const game = this.session?.state.game;
    if (game == null || this.board === null) return;
    const shown = this.browsing?.position ?? game.position;
    this.board.view = shown.view;
    this.board.lastMove = movesOf(shown.history).at(-1) ?? null;
    this.board.isFlipped = this.flipped;
    this.board.below = seatBelow(game.seats.length, this.flipped);
  }

  override render(): TemplateResult {
    const { game = null, problem = "", reasons = {} } = this.session?.state ?? {};
    const fault = faultOf(this.gameId, this.server);
    if (fault !== "" || game === null) {
      const home = serverFault(this.server) === "" ? `${serverOf(this.server)}/` : null;
      return drawEmpty(fault || problem, home);
    }
    const players = game.seats.map((seat) => playerName(seat, null)).join(` ${common.versus} `);
    return html`
      <div class="whole">
        <div class="field">${this.bar(game)} ${this.board}</div>
        <div class="caption">
          ${this.curve(game)}
          <p>${players}. ${statusText(game, null, reasons)}</p>
          <p class="problem" role="alert" ?hidden=${problem === ""}>${problem}</p>
          ${drawWalk(this.browsing?.ply ?? game.position.ply, game.position.ply, {
            onPly: (ply) => void this.browsing?.show(ply),
            home: `${serverOf(this.server)}${this.graph ? analysisPath(this.gameId) : gamePath(this.gameId, null)}`,
          })}
        </div>
      </div>
    `;
  }

  private curve({ seats, position }: Game): TemplateResult | null {
    if (!this.graph || this.feed === null) return null;
    return html`<plyhouse-graph
      .positions=${chartedOf(this.feed.state.byPly)}
      .moves=${movesOf(position.history)}
      .seats=${this.session?.state.isSimultaneous === true ? 1 : seats.length}
      .ply=${this.browsing?.ply ?? position.ply}
      @browse=${(event: CustomEvent<number>) => void this.browsing?.show(event.detail)}
    ></plyhouse-graph>`;
  }

  private bar({ seats, position }: Game): TemplateResult | null {
    if (!this.evaluation || this.feed === null) return null;
    const { status, problem } = this.feed.state;
    const ply = this.browsing?.position?.ply ?? position.ply;
    return html`<plyhouse-bar
      .status=${status}
      .worth=${worthAt(this.feed.state, ply)}
      .basis=${basisAt(this.feed.state, ply)}
      .below=${seatBelow(seats.length, this.flipped)}
      .problem=${problem}
    ></plyhouse-bar>`;
  }

  protected override updated(): void {
    this.fit();
  }

  private readonly fit = (): void => {
    fitBoard(this, this.board);
  };

  private enter(): void {
    this.leave();
    if (faultOf(this.gameId, this.server) !== "") return;
    const server = serverOf(this.server);
    const session = new GameSession(
      this.gameId,
      null,
      () => {
        this.onSession();
      },
      server,
    );
    this.session = session;
    this.feed = new EvalFeed(
      () => {
        this.requestUpdate();
      },
      () => this.browsing?.askable ?? null,
      server,
    );
    this.browsing = new Browsing(
      async (ply) => (await getGame(this.gameId, { ply, server })).position,
      () => {
        this.requestUpdate();
      },
      (error) => {
        session.report(error);
      },
    );
    void session.open().then(() => this.makeBoard(session));
  }

  private leave(): void {
    this.session?.close();
    this.feed?.switchOff();
    this.session = this.browsing = this.board = this.feed = null;
  }

  private onSession(): void {
    const game = this.session?.state.game;
    if (game != null) this.browsing?.follow(game.position);
    this.requestUpdate();
  }

  private async makeBoard(session: GameSession): Promise<void> {
    const { game } = session.state;
    if (game === null) return;
    try {
      const board = await createBoard(game, { server: serverOf(this.server), about: session.state.about });
      if (session !== this.session) return;
      board.isEmbedded = true;
      this.board = board;
      paint(this.paint, board);
      this.evaluate();
      this.turnTo(this.ply);
    } catch (error) {
      session.report(error);
    }
  }

  private evaluate(): void {
    const game = this.session?.state.game;
    if (this.evaluation && game != null) this.feed?.switchOn(game, null);
    else this.feed?.switchOff();
  }

  private turnTo(ply: number | null): void {
    if (ply === null) this.browsing?.backToLive();
    else void this.browsing?.show(ply);
  }
}

/** Worth without what moves have lost, which the evaluations of a game do not say. */
function chartedOf(byPly: ReadonlyMap<number, Worth>): ReadonlyMap<number, Charted> {
  return new Map(
    [...byPly].map(([ply, { values, chances, points }]) => [
      ply,
      {
        ply,
        played: [],
        values,
        ...(chances === null ? {} : { chances }),
        ...(points === null ? {} : { points }),
      },
    ]),
  );
}
