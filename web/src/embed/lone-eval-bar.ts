// <plyhouse-eval-bar>: shows the evaluation of a game of a Plyhouse server on any page, without a board (the bar of an
// embedded board is in board.ts and board-styles.ts). Attributes: game-id, server, on, ply, below (the seat whose share
// grows from the bottom), moves (in games in which seats move together, each seat's most probable moves next to the bar).
// Without `on` nothing is evaluated.
import { css, html, unsafeCSS, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { getGame, sentence } from "../api/client";
import type { Position } from "../api/shapes";
import { EvalBar } from "../elements/eval-bar";
import { evalBarStyles } from "../elements/eval-bar-styles";
import "../elements/move-policies";
import { retryWhileWanted } from "../net/retry";
import { EvalFeed, askable, basisAt, worthAt } from "../state/evaluation";
import { playerName } from "../state/labels";
import type { Mixture } from "../state/mixture";
import theme from "../theme.css?inline";
import { createBoard } from "../boards";
import { faultOf, serverOf, textAttribute } from "./home";
import { paint } from "./surroundings";

@customElement("plyhouse-eval-bar")
export class PlyhouseEvalBar extends EvalBar {
  static override styles = [
    unsafeCSS(theme),
    evalBarStyles,
    css`
      :host {
        min-height: 120px;
      }
      .bar {
        min-height: inherit;
      }
      :host([moves]) {
        display: grid;
        grid-template-columns: 26px minmax(0, 1fr);
        gap: 12px;
        align-items: center;
        width: auto;
      }
      :host([moves]) .bar {
        height: 100%;
      }
      :host([faulty]) {
        width: auto;
      }
      .fault {
        margin: 0;
        color: var(--danger);
        font:
          15px/1.4 system-ui,
          sans-serif;
      }
    `,
  ];

  @property({ attribute: "game-id", converter: textAttribute }) gameId = "";
  /** Address of the server; by default the one that the script was loaded from. */
  @property({ converter: textAttribute }) server = "";
  @property({ type: Boolean }) on = false;
  /** The ply whose evaluation is shown; by default the last one available. */
  @property({ type: Number }) ply: number | null = null;
  /** Whether each seat's most probable moves are shown next to the bar, in games in which seats move together. */
  @property({ type: Boolean }) moves = false;
  @state() private mixture: Mixture | null = null;
  /** Why there is no game to evaluate; empty if there is one. */
  @state() private fault = "";
  private names: readonly string[] = [];
  private feed: EvalFeed | null = null;
  private readonly paint = new CSSStyleSheet();

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot() as ShadowRoot;
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, this.paint];
    return root;
  }

  override render(): TemplateResult {
    if (this.fault !== "") return html`<p class="fault" role="alert">${this.fault}</p>`;
    if (!this.moves || this.feed === null || this.feed.state.mixtures.size === 0) return super.render();
    return html`${super.render()}<move-policies
        .mixture=${this.mixture}
        .names=${this.names}
      ></move-policies>`;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.follow();
  }

  override disconnectedCallback(): void {
    this.leave();
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("gameId") || changed.has("server") || changed.has("on")) this.follow();
    if (changed.has("ply")) this.show();
    this.toggleAttribute("faulty", this.fault !== "");
  }

  private follow(): void {
    this.leave();
    this.fault = faultOf(this.gameId, this.server);
    if (!this.on || this.fault !== "") return;
    const server = serverOf(this.server);
    let live: Position | null = null;
    const feed = new EvalFeed(
      () => {
        if (feed === this.feed) this.show();
      },
      () => (this.ply === null || this.ply === live?.ply ? live && askable(live) : this.ply),
      server,
    );
    this.feed = feed;
    this.status = "connecting";
    void retryWhileWanted(
      async () => {
        const game = await getGame(this.gameId, { server });
        if (feed !== this.feed) return;
        this.fault = "";
        live = game.position;
        this.names = game.seats.map((seat) => playerName(seat, null));
        feed.switchOn(game, null);
        paint(this.paint, await createBoard(game, { server: serverOf(this.server) }));
      },
      {
        isWanted: () => feed === this.feed,
        onFailure: (error) => {
          if (feed === this.feed) this.fault = sentence(error);
        },
      },
    );
  }

  private leave(): void {
    const { feed } = this;
    this.feed = null;
    feed?.switchOff();
    this.status = "off";
    this.worth = null;
    this.basis = null;
    this.mixture = null;
    this.names = [];
    this.problem = "";
  }

  private show(): void {
    if (this.feed === null) return;
    const { status, byPly, mixtures, problem } = this.feed.state;
    const ply = this.ply ?? Math.max(0, ...byPly.keys());
    this.status = status;
    this.problem = problem;
    this.worth = worthAt(this.feed.state, ply);
    this.basis = basisAt(this.feed.state, ply);
    this.mixture = mixtures.get(ply) ?? null;
  }
}
