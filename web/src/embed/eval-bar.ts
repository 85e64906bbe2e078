// <plyhouse-eval-bar>: the evaluation of a game of a Plyhouse server, on any page. Attributes: game-id, server, on, ply,
// below (the seat whose share grows from the bottom). It starts off: without `on` nothing is evaluated.
import { css, unsafeCSS, type PropertyValues } from "lit";
import { customElement, property } from "lit/decorators.js";
import { getGame, sentence } from "../api/client";
import { EvalBar } from "../elements/eval-bar";
import { evalBarStyles } from "../elements/eval-bar-styles";
import { untilAnswered } from "../net/patience";
import { EvalFeed, valueAt } from "../state/evaluation";
import theme from "../theme.css?inline";
import { createBoard } from "../boards";
import { serverOf } from "./home";
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
    `,
  ];

  @property({ attribute: "game-id" }) gameId = "";
  /** Address of the server; by default the one that the script came from. */
  @property() server = "";
  @property({ type: Boolean }) on = false;
  /** The ply whose evaluation is shown; by default the last one that there is. */
  @property({ type: Number }) ply: number | null = null;
  private feed: EvalFeed | null = null;
  private readonly paint = new CSSStyleSheet();

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot() as ShadowRoot;
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, this.paint];
    return root;
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
  }

  private follow(): void {
    this.leave();
    if (!this.on || this.gameId === "") return;
    const server = serverOf(this.server);
    let last = 0;
    const feed = new EvalFeed(
      () => {
        if (feed === this.feed) this.show();
      },
      () => this.ply ?? last,
      server,
    );
    this.feed = feed;
    this.status = "connecting";
    void untilAnswered(
      async () => {
        const game = await getGame(this.gameId, { server });
        last = game.position.ply;
        if (feed !== this.feed) return;
        feed.switchOn(game, null);
        paint(this.paint, await createBoard(game.game));
      },
      {
        isWanted: () => feed === this.feed,
        onFailure: (error) => {
          this.problem = sentence(error);
        },
      },
    );
  }

  private leave(): void {
    const { feed } = this;
    this.feed = null;
    feed?.switchOff();
    this.status = "off";
    this.value = null;
    this.problem = "";
  }

  private show(): void {
    if (this.feed === null) return;
    const { status, byPly, problem } = this.feed.state;
    this.status = status;
    this.problem = problem;
    this.value = valueAt(byPly, this.ply ?? Math.max(0, ...byPly.keys()));
  }
}
