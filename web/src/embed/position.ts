// <plyhouse-position>: the board of a position that belongs to no game, with buttons to go through its moves. Attributes:
// game, flipped. What it shows is in the fragment of the page's address, as on the analysis board. Only for our own page
// /embed/board/{game}: servers answer such requests of their own pages only.
import { LitElement, html, unsafeCSS, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import * as texts from "#texts/board";
import { getGame, getRules } from "../api/client";
import { sentence } from "../api/http";
import { getPositionAfter, type Start } from "../api/positions";
import type { Position } from "../api/shapes";
import { createBoard, seatBelow, type BoardElement } from "../boards";
import { controls } from "../elements/controls";
import { retryWhileWanted } from "../net/retry";
import { boardPath, shownIn } from "../state/board-address";
import { historyUntil, movesOf } from "../state/moves";
import { Positions } from "../state/positions";
import theme from "../theme.css?inline";
import { boardStyles } from "./board-styles";
import { fitBoard, paint } from "./surroundings";
import { drawEmpty, drawWalk } from "./walk";

/** A line of moves from a start. */
interface Line {
  readonly start: Start;
  readonly moves: readonly string[];
}

@customElement("plyhouse-position")
export class PlyhousePosition extends LitElement {
  static override styles = [unsafeCSS(theme), controls, boardStyles];

  @property() game = "";
  @property({ type: Boolean }) flipped = false;

  @state() private line: Line | null = null;
  @state() private position: Position | null = null;
  @state() private ply = 0;
  @state() private problem = "";
  @state() private board: BoardElement | null = null;
  private readonly paint = new CSSStyleSheet();
  private readonly positions = new Positions<Line>(
    ({ moves }) => moves.join(" "),
    ({ start, moves }) => getPositionAfter(start, moves),
  );

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot() as ShadowRoot;
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, this.paint];
    return root;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("resize", this.fit);
    void this.untilAnswered(() => this.open());
  }

  override disconnectedCallback(): void {
    window.removeEventListener("resize", this.fit);
    super.disconnectedCallback();
  }

  protected override willUpdate(): void {
    const { board, position } = this;
    if (board === null || position === null) return;
    board.view = position.view;
    board.lastMove = movesOf(position.history).at(-1) ?? null;
    board.isFlipped = this.flipped;
    board.below = seatBelow(position.clocks.length, this.flipped);
  }

  override render(): TemplateResult {
    const { line, board, position, problem } = this;
    if (line === null || board === null || position === null)
      return drawEmpty(problem, `${location.origin}/`);
    const home = `${location.origin}${boardPath(this.game, shownIn(location.hash))}`;
    return html`<div class="whole">
      <div class="field">${board}</div>
      <div class="caption">
        <p class="problem" role="alert" ?hidden=${problem === ""}>${problem}</p>
        ${drawWalk(this.ply, line.moves.length, { onPly: (ply) => void this.untilAnswered(() => this.show(ply)), home })}
      </div>
    </div>`;
  }

  protected override updated(): void {
    this.fit();
  }

  private readonly fit = (): void => {
    fitBoard(this, this.board);
  };

  private async open(): Promise<void> {
    const line = await lineOf(this.game, location.hash);
    const rules = (await getRules()).find(({ game }) => game === this.game);
    if (rules === undefined) throw new Error(texts.noGame(this.game));
    const position = await this.positions.get(line);
    const { variant = rules.variants[0] ?? "" } = line.start;
    this.board = await createBoard({ game: this.game, variant }, { about: rules.about });
    this.board.isEmbedded = true;
    paint(this.paint, this.board);
    Object.assign(this, { line, position, ply: line.moves.length });
  }

  private async show(ply: number): Promise<void> {
    const { line } = this;
    if (line === null) return;
    this.ply = ply;
    const position = await this.positions.get({ ...line, moves: historyUntil(line.moves, ply) });
    if (this.ply === ply) this.position = position;
  }

  private async untilAnswered(ask: () => Promise<void>): Promise<void> {
    await retryWhileWanted(
      async () => {
        await ask();
        this.problem = "";
      },
      {
        isWanted: () => this.isConnected,
        onFailure: (error) => {
          this.problem = sentence(error);
        },
      },
    );
  }
}

/** What a fragment of an address shows. */
async function lineOf(game: string, fragment: string): Promise<Line> {
  const { from, variant, config, moves } = shownIn(fragment);
  if (from === null) return { start: { game, config, ...(variant === "" ? {} : { variant }) }, moves };
  const source = await getGame(from.gameId);
  if (source.game !== game) throw new Error(texts.otherGame(source.gameId));
  const start = { game, variant: source.variant, config: source.config };
  return { start, moves: [...historyUntil(source.position.history, from.ply), ...moves] };
}
