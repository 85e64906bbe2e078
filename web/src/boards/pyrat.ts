// <pyrat-board>: draws a PyRat position with the steps of the last turn, and lets the viewer's player take one of the legal
// steps: by a click on the next cell, an arrow key, or a swipe. It knows no rules.
// Found by its file name; the game page sets the properties of BoardElement and listens to "action" and "aim".
import { html, nothing, svg, type PropertyValues, type SVGTemplateResult, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import * as texts from "#texts/boards/pyrat";
import * as boards from "#texts/boards/common";
import type { BoardElement } from "../boards";
import { ARROWS, type Point } from "./common/arrows";
import type { Draggable } from "./common/carrier";
import { isSure } from "./common/fingers";
import { drawLabels, labelStyles } from "./common/labels";
import { noteStyles } from "./common/notes";
import { PictureBoard } from "./common/picture-board";
import { pictureStyles } from "./common/picture-styles";
import { drawZoomTools } from "./common/zoom-tools";
import * as drawing from "./pyrat/drawing";
import {
  SIZE,
  boardArea,
  centreOf,
  directionOf,
  gridOf,
  gridPath,
  wallPath,
  type Frame,
} from "./pyrat/geometry";
import { describeMove, type Direction } from "./pyrat/notation";
import {
  afterStep,
  directionsFrom,
  meant,
  stepOf,
  stepsAfter,
  stepsBefore,
  targetsOf,
  type PyratView,
  type Target,
} from "./pyrat/scene";
import { drawProgress, drawScoreboard } from "./pyrat/scoreboard";
import { setUp } from "./pyrat/set-up";
import { ROWS, SEAT_COLOURS, pyratStyles } from "./pyrat/styles";
import { LEGIBLE, MazeViewport } from "./pyrat/viewport";

/** Below this scale numbers are not drawn. */
const FAR = 0.19;
/** Below this scale players are drawn larger, at most by the factor, so that they stay visible. */
const SMALL = 0.24;
const MOST_ENLARGED = 1.7;
/** What one key press moves. */
const PAN_STEP = 60;
/** The proportions of the picture, whatever those of the board. */
const NARROWEST = 0.85;
const WIDEST = 2.2;

/** The directions of the keys that steer like the arrow keys. */
const LETTERS: Readonly<Record<string, Point | undefined>> = {
  w: ARROWS.ArrowUp,
  s: ARROWS.ArrowDown,
  a: ARROWS.ArrowLeft,
  d: ARROWS.ArrowRight,
};

@customElement("pyrat-board")
export class PyratBoard extends PictureBoard<PyratView, MazeViewport> implements BoardElement<PyratView> {
  static override styles = [pictureStyles, noteStyles, labelStyles, pyratStyles];

  @property({ attribute: false }) sealed: string | null = null;
  @property({ attribute: false }) about: { readonly obstacle?: string } = {};

  readonly colours = SEAT_COLOURS;
  readonly recordFormat = ["prf", texts.recordFormat] as const;
  override readonly setUp = setUp;
  get lesson(): string {
    return matchMedia("(pointer: coarse)").matches ? texts.lessonForTouch : texts.lesson;
  }

  constructor() {
    super((onChange) => new MazeViewport(onChange));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("keydown", this.onPageKey, { capture: true });
  }

  override disconnectedCallback(): void {
    window.removeEventListener("keydown", this.onPageKey, { capture: true });
    super.disconnectedCallback();
  }

  widthFor(height: number): number {
    return this.view === null ? height : Math.max(0, height - ROWS) * this.ratio(this.view);
  }

  compose(actions: readonly string[]): string {
    return actions.at(-1) ?? "STAY";
  }

  pointsIn({ players }: PyratView): number {
    return players.reduce((sum, { score }) => sum + score, 0);
  }

  spell(move: string): string {
    return describeMove(move);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    if (this.view === null) return;
    const frame = this.frame(this.view);
    const own = this.seat === null ? undefined : this.view.players[this.seat];
    this.viewport.update({
      area: boardArea(frame),
      own: own === undefined ? null : centreOf(own.cell, frame),
    });
  }

  /** While the own step is sealed, the next one can be chosen. */
  premoves(actions: readonly string[]): string[] {
    const { view, seat } = this;
    if (view === null || seat === null || this.sealed === null || actions.length > 0) return [];
    return directionsFrom(afterStep(view, seat, this.sealed), seat);
  }

  /** Where the viewer's player makes the step that is chosen now. */
  private start(view: PyratView): PyratView {
    const isLater = this.isPremove && this.seat !== null && this.sealed !== null;
    return isLater ? afterStep(view, this.seat ?? 0, this.sealed) : view;
  }

  private frame({ width, height }: PyratView): Frame {
    return { width, height, isFlipped: this.isFlipped };
  }

  /** Width of the picture by its height. What cannot be shown at once needs no wide picture. */
  private ratio({ width, height }: PyratView): number {
    const isLarge = this.viewport.size.width / width < LEGIBLE;
    return Math.min(isLarge ? 1 : WIDEST, Math.max(NARROWEST, width / height));
  }

  // ---- drawing ---------------------------------------------------------------------------------

  override render(): TemplateResult | null {
    const { view } = this;
    if (view === null) return null;
    const { scale } = this.viewport.camera;
    const picture = this.drawPicture({
      before: svg`<defs><g id="cheese">${drawing.drawCheese()}</g></defs>`,
      world: this.drawWorld(view, this.frame(view)),
      label: this.seat === null ? boards.board : texts.steeredBoard,
      classes: this.seat === null ? "" : "steered",
      worldClasses: scale < FAR ? "far" : "",
      worldStyle: `--figure: ${Math.min(MOST_ENLARGED, Math.max(1, SMALL / scale))}`,
      isReachable: true,
    });
    return html`
      <div class="board" style="--ratio: ${this.ratio(view)}" @keydown=${this.onKey}>
        ${drawScoreboard(view)}
        <div class="table">${picture}</div>
        <div class="below">
          ${drawProgress(view, this.seat)} ${drawZoomTools(this.viewport, texts.showSurroundings)}
        </div>
      </div>
    `;
  }

  /** The middle of the cell at a point; null beside the board. */
  protected cellAt({ x, y }: Point): Point | null {
    const [column, row] = [Math.floor(x / SIZE), Math.floor(y / SIZE)];
    const { view } = this;
    const isOn = view !== null && column >= 0 && row >= 0 && column < view.width && row < view.height;
    return isOn ? { x: (column + 0.5) * SIZE, y: (row + 0.5) * SIZE } : null;
  }

  private drawWorld(view: PyratView, frame: Frame): SVGTemplateResult {
    const { players, starts, cheese } = view;
    return svg`
      ${guard([view.exits.join(), frame.isFlipped], () => this.maze(view, frame))}
      ${drawLabels(gridOf(frame), this.viewport.camera, this.viewport.size)}
      <g class="things">
        ${starts.map((cell, seat) => drawing.drawStart(cell, seat, frame))}
        ${repeat(cheese, String, (cell) => svg`<use href="#cheese" transform=${drawing.at(centreOf(cell, frame))}></use>`)}
      </g>
      ${this.targets(view, frame)}
      ${this.steps(view, frame)}
      ${players.map((_, seat) => drawing.drawPlayer(players, seat, frame))}
      ${this.notes.draw(SIZE)}`;
  }

  private maze(view: PyratView, frame: Frame): SVGTemplateResult {
    const { width, height } = boardArea(frame);
    return svg`
      <rect class="floor" width=${width} height=${height}/>
      <path class="grid" d=${gridPath(frame)}/>
      ${view.mud.map((mud) => drawing.drawMud(mud, frame))}
      <path class="walls" d=${wallPath(view.exits, frame)}/>
      <rect class="edge" width=${width} height=${height} rx="4"/>`;
  }

  /** The steps of the last turn, those of a turn that is pointed out, and the viewer's own one that is sealed or sent. */
  private steps(view: PyratView, frame: Frame): SVGTemplateResult {
    const { seat } = this;
    const [staged = null] = this.staged;
    const own =
      seat === null ? [] : [...stepOf(view, seat, this.sealed), ...stepOf(this.start(view), seat, staged)];
    return svg`<g class="steps">
      ${stepsBefore(view, this.lastMove).map((step) => drawing.drawStep(step, "last", frame))}
      ${stepsAfter(view, this.hint).map((step) => drawing.drawStep(step, "hinted", frame))}
      ${own.map((step) => drawing.drawStep(step, "sealed", frame))}
    </g>`;
  }

  private targets(view: PyratView, frame: Frame): unknown {
    const targets = this.seat === null ? [] : targetsOf(this.start(view), this.seat, this.legal);
    return repeat(
      targets,
      ({ direction }) => direction,
      (target) => this.target(target, frame),
    );
  }

  private target({ direction, cell, name }: Target, frame: Frame): SVGTemplateResult {
    const isAimed = direction === this.aimed;
    const half = SIZE / 2 - 12;
    return svg`<g class="target seat-${this.seat ?? 0} ${isAimed ? "aimed" : ""}" data-direction=${direction}
      data-drag=${direction === "STAY" ? "player" : nothing}
      transform=${drawing.at(centreOf(cell, frame))} role="button" aria-label=${name} aria-pressed=${String(isAimed)}
      @click=${(event: MouseEvent) => {
        this.onTarget(event, direction);
      }}>
      <rect x=${-SIZE / 2} y=${-SIZE / 2} width=${SIZE} height=${SIZE} fill="transparent"/>
      ${direction === "STAY" ? nothing : svg`<rect class="area" x=${-half} y=${-half} width=${2 * half} height=${2 * half} rx="16"/>`}
    </g>`;
  }

  // ---- picking ---------------------------------------------------------------------------------

  /** Takes a step in the direction of a movement on the screen, unless a wall is in the way. */
  private steer(way: Point): void {
    const direction = meant(this.legal, directionOf(way, this.isFlipped));
    if (direction !== null) this.play(direction);
    else this.block({ why: this.about.obstacle ?? "" });
  }

  protected override onSwipe(way: Point): void {
    this.steer(way);
  }

  protected override pieceAt(): Draggable | null {
    return this.renderRoot.querySelector<SVGGraphicsElement>(`.player.seat-${this.seat ?? 0}`);
  }

  private onTarget(event: MouseEvent, direction: Direction): void {
    event.stopPropagation();
    const click = this.gestures.clickOf(event);
    if (click === "swipe") return;
    const isHit = isSure(this.renderRoot.querySelector(".world"), SIZE);
    if (click === "tap" && direction !== this.aimed && !isHit) this.aim(direction);
    else this.play(direction);
  }

  protected onDrop(_piece: string, over: Element | null, at: MouseEvent): void {
    const direction = over?.closest<SVGElement>(".target")?.dataset.direction;
    if (direction !== undefined && this.legal.includes(direction)) this.play(direction);
    else this.attempt(at);
  }

  protected onGround(event: MouseEvent): void {
    if (this.aimed !== null) this.aim(null);
    else this.attempt(event);
  }

  /** Tries the step to the cell at a point if it is next to the player. */
  private attempt(event: MouseEvent): void {
    const { view, seat } = this;
    const player = view === null || seat === null ? undefined : this.start(view).players[seat];
    const point = this.pointAt(event);
    const cell = point === null ? null : this.cellAt(point);
    if (view === null || player === undefined || cell === null) return;
    const own = centreOf(player.cell, this.frame(view));
    const way = { x: cell.x - own.x, y: cell.y - own.y };
    if (Math.abs(way.x) + Math.abs(way.y) === SIZE) this.steer(way);
  }

  // ---- keyboard --------------------------------------------------------------------------------

  /** Whether the viewer's player moves: keys belong to it, even while its step is being sent or sealed. */
  private get isSteered(): boolean {
    return this.seat !== null && (this.legal.length > 0 || this.staged.length > 0 || this.sealed !== null);
  }

  /** Keys pressed while nothing has the focus steer as well, before the page browses with them. */
  private readonly onPageKey = (event: KeyboardEvent): void => {
    const isOurs = event.composedPath()[0] === document.body && !isModified(event) && !event.defaultPrevented;
    if (isOurs && this.steerWith(event)) event.preventDefault();
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    if (isModified(event) || event.target instanceof HTMLButtonElement) return;
    if (this.steerWith(event) || this.lookWith(event) || this.zoomWith(event)) event.preventDefault();
  };

  /** Whether the key steers. A key that is held down counts once. */
  private steerWith({ key, repeat: isRepeated, shiftKey }: KeyboardEvent): boolean {
    const way = ARROWS[key] ?? LETTERS[key.toLowerCase()];
    if (!this.isSteered || shiftKey || (way === undefined && key !== " ")) return false;
    if (isRepeated) return true;
    if (way !== undefined) this.steer(way);
    else if (this.legal.includes("STAY")) this.play("STAY");
    return true;
  }

  /** Whether the key changes what is seen, or what is aimed at. */
  private lookWith({ key, shiftKey }: KeyboardEvent): boolean {
    const way = ARROWS[key];
    if (way !== undefined && (shiftKey || !this.viewport.showsEverything))
      this.viewport.pan({ x: -way.x * PAN_STEP, y: -way.y * PAN_STEP });
    else if (key === "Escape" && this.aimed !== null) this.aim(null);
    else return false;
    return true;
  }
}

function isModified({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey;
}
