// <plyhouse-board>: shows a game of a Plyhouse server on any page. Attributes: game-id, server, ply, flipped,
// evaluation (shows an evaluation bar; without it nothing is evaluated). It is as wide as its container, and fits into the height
// that the page gives it, if any.
import { LitElement, css, html, unsafeCSS, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { getGame } from "../api/client";
import type { Game } from "../api/shapes";
import { createBoard, type BoardElement } from "../boards";
import { EvalBar } from "../elements/eval-bar";
import { Browsing } from "../state/browsing";
import { EvalFeed, basisAt, worthAt } from "../state/evaluation";
import { movesOf } from "../state/moves";
import { GameSession } from "../state/session";
import { playerName, statusText } from "../state/labels";
import theme from "../theme.css?inline";
import { serverOf } from "./home";
import { givenHeight, paint } from "./surroundings";

/** The bar next to a board, under its own name, as the page may define another <eval-bar>. */
@customElement("plyhouse-bar")
export class InnerBar extends EvalBar {}

@customElement("plyhouse-board")
export class PlyhouseBoard extends LitElement {
  static override styles = [
    unsafeCSS(theme),
    css`
      :host {
        display: block;
        color: var(--ink);
        font:
          15px/1.4 system-ui,
          sans-serif;
      }
      .field {
        display: grid;
        grid-template-columns: minmax(0, var(--board-width, 1fr));
        justify-content: center;
        gap: 8px;
        min-height: 120px;
      }
      .field:has(plyhouse-bar) {
        grid-template-columns: auto minmax(0, var(--board-width, 1fr));
      }
      p {
        margin: 0;
        padding-top: 4px;
        color: var(--ink-soft);
        text-align: center;
      }
      [hidden] {
        display: none;
      }
    `,
  ];

  @property({ attribute: "game-id" }) gameId = "";
  /** Address of the server; by default the one that the script was loaded from. */
  @property() server = "";
  /** The position after so many moves; by default the current one. */
  @property({ type: Number }) ply: number | null = null;
  @property({ type: Boolean }) flipped = false;
  @property({ type: Boolean }) evaluation = false;

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
    this.board.below = this.flipped ? game.seats.length - 1 : 0;
  }

  override render(): TemplateResult {
    const { game = null, problem = "", reasons = {} } = this.session?.state ?? {};
    if (game === null) return html`<p role="alert">${problem}</p>`;
    const players = game.seats.map((seat) => playerName(seat, null)).join(" vs ");
    return html`
      <div class="whole">
        <div class="field">${this.bar(game)} ${this.board}</div>
        <div class="caption">
          <p>${players}. ${statusText(game, null, reasons)}</p>
          <p role="alert" ?hidden=${problem === ""}>${problem}</p>
        </div>
      </div>
    `;
  }

  private bar({ seats, position }: Game): TemplateResult | null {
    if (!this.evaluation || this.feed === null) return null;
    const { status, problem } = this.feed.state;
    const ply = this.browsing?.position?.ply ?? position.ply;
    return html`<plyhouse-bar
      .status=${status}
      .worth=${worthAt(this.feed.state, ply)}
      .basis=${basisAt(this.feed.state, ply)}
      .below=${this.flipped ? seats.length - 1 : 0}
      .problem=${problem}
    ></plyhouse-bar>`;
  }

  protected override updated(): void {
    this.fit();
  }

  /** Gives the board the element's height, or the window's if the page gives it none, minus that of the caption. */
  private readonly fit = (): void => {
    const [whole, field, caption] = this.renderRoot.querySelectorAll<HTMLElement>(".whole, .field, .caption");
    if (whole === undefined || field === undefined || caption === undefined || this.board === null) return;
    const height = givenHeight(this, whole) ?? window.innerHeight;
    const room = Math.max(0, height - caption.offsetHeight);
    field.style.setProperty("--board-room", `${room}px`);
    field.style.setProperty("--board-width", `${this.board.widthFor(room)}px`);
  };

  private enter(): void {
    this.leave();
    if (this.gameId === "") return;
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
      () => this.browsing?.ply ?? 0,
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
