// <plyhouse-board>: a game of a Plyhouse server to watch, on any page. Attributes: game-id, server, ply, flipped.
import { LitElement, css, html, unsafeCSS, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { getGame } from "../api/client";
import { createBoard, type BoardElement } from "../boards";
import { Browsing } from "../state/browsing";
import { GameSession } from "../state/session";
import { playerName, statusText } from "../state/words";
import theme from "../theme.css?inline";
import { serverOf } from "./home";

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
      .board {
        min-height: 120px;
      }
      p {
        margin: 4px 0 0;
        color: var(--ink-soft);
        text-align: center;
      }
    `,
  ];

  @property({ attribute: "game-id" }) gameId = "";
  /** Address of the server; by default the one that the script came from. */
  @property() server = "";
  /** The position after so many moves; by default the present one. */
  @property({ type: Number }) ply: number | null = null;
  @property({ type: Boolean }) flipped = false;

  @state() private board: BoardElement | null = null;
  private session: GameSession | null = null;
  private browsing: Browsing | null = null;

  override disconnectedCallback(): void {
    this.leave();
    super.disconnectedCallback();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.enter();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("gameId") || changed.has("server")) this.enter();
    else if (changed.has("ply")) this.turnTo(this.ply);
    const game = this.session?.state.game;
    if (game == null || this.board === null) return;
    const shown = this.browsing?.position ?? game.position;
    this.board.view = shown.view;
    this.board.lastMove = shown.history.at(-1) ?? null;
    this.board.isFlipped = this.flipped;
    this.board.below = this.flipped ? game.seats.length - 1 : 0;
  }

  override render(): TemplateResult {
    const { game = null, problem = "", reasons = {} } = this.session?.state ?? {};
    if (game === null) return html`<p role="alert">${problem}</p>`;
    const players = game.seats.map((seat) => playerName(seat, null)).join(" vs ");
    return html`
      <div class="board">${this.board}</div>
      <p>${players}. ${statusText(game, null, reasons)}</p>
      <p role="alert" ?hidden=${problem === ""}>${problem}</p>
    `;
  }

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
    this.session = this.browsing = this.board = null;
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
      const board = await createBoard(game.game);
      if (session !== this.session) return;
      this.board = board;
      this.turnTo(this.ply);
    } catch (error) {
      session.report(error);
    }
  }

  private turnTo(ply: number | null): void {
    if (ply === null) this.browsing?.backToLive();
    else void this.browsing?.show(ply);
  }
}
