// <carcassonne-board>: draws a Carcassonne position and lets one of the given legal moves be picked: first the cell, where
// further presses turn the tile, then the place for a meeple. It knows no rules; its tiles are drawn from their table.
// Found by its file name; the game page sets the properties of BoardElement and listens to "action" and "aim".
import { html, nothing, svg, type PropertyValues, type SVGTemplateResult, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import * as texts from "#texts/boards/carcassonne";
import type { BoardElement } from "../boards";
import { ARROWS, nearest, type Point } from "./common/arrows";
import { isSure } from "./common/fingers";
import { FocusKeeper } from "./common/focus-keeper";
import { drawLabels, labelStyles } from "./common/labels";
import { noteStyles } from "./common/notes";
import { PictureBoard } from "./common/picture-board";
import { pictureStyles } from "./common/picture-styles";
import { pointers } from "./common/pointers";
import { drawZoomTools } from "./common/zoom-tools";
import { centreOf, gridAround, tableCell } from "./carcassonne/camera";
import * as drawing from "./carcassonne/drawing";
import { SIZE, layoutOf, type TileLayout } from "./carcassonne/layout";
import * as marks from "./carcassonne/marks";
import {
  SKIP,
  describeMove,
  describeSpot,
  parseMove,
  parsePlacement,
  placementText,
  refusalInWords,
  type Cell,
  type Placement,
} from "./carcassonne/notation";
import {
  cellKey,
  isSame,
  nearestSpot,
  rotationFrom,
  spotPoint,
  spotsOf,
  stagedTile,
  targetsOf,
  type CarcassonneView,
  type Placed,
  type SpotTarget,
  type StandingMeeple,
  type Target,
} from "./carcassonne/scene";
import { drawBreakdown, drawScoreboard, drawTilesLeft } from "./carcassonne/scoreboard";
import { scoreboardStyles } from "./carcassonne/scoreboard-styles";
import { SCOREBOARD, SEAT_COLOURS, carcassonneStyles } from "./carcassonne/styles";
import { tableOf, type TileRow, type TileTable, type TilesAbout } from "./carcassonne/tiles";
import { TableViewport, type Table } from "./carcassonne/viewport";

const HALF = SIZE / 2;
/** The radius of a place for a meeple. */
const SPOT = 13;
/** From this scale on, tiles show their details. */
const FAR = 0.43;
/** Below this scale meeples are drawn larger, at most by the factor, so that they stay visible. */
const SMALL = 0.55;
const MOST_ENLARGED = 1.8;
/** What one key press moves. */
const PAN_STEP = 60;

@customElement("carcassonne-board")
export class CarcassonneBoard
  extends PictureBoard<CarcassonneView, TableViewport>
  implements BoardElement<CarcassonneView>
{
  static override styles = [pictureStyles, noteStyles, labelStyles, carcassonneStyles, scoreboardStyles];

  @property({ attribute: false }) about: TilesAbout = {};
  @property({ attribute: false }) variant = "";

  readonly colours = SEAT_COLOURS;
  readonly lesson = texts.lesson;

  /** How the tile in hand is turned. */
  @state() private rotation = 0;
  /** The target that had the focus last: the key of a cell, or a spot. */
  @state() private reached = "";
  private table: TileTable = new Map();
  private readonly layouts = new Map<string, TileLayout>();

  constructor() {
    super((onChange) => new TableViewport(onChange));
    this.addController(new FocusKeeper(this, "[data-reach]"));
  }

  widthFor(height: number): number {
    return Math.max(240, height - SCOREBOARD);
  }

  /** Without a meeple left, a turn ends with its placement. */
  compose(actions: readonly string[]): string {
    const isOutOfMeeples = this.view?.supply[this.view.toMove ?? 0] === 0;
    return isOutOfMeeples && actions.length === 1 ? [...actions, SKIP].join(" ") : actions.join(" ");
  }

  pointsIn({ scores }: CarcassonneView): number {
    return scores.reduce((sum, points) => sum + points, 0);
  }

  spell(move: string): string {
    return describeMove(move);
  }

  inWords(text: string): string {
    return refusalInWords(text);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    if (changed.has("about") || changed.has("variant")) {
      this.table = tableOf(this.about, this.variant);
      this.layouts.clear();
    }
    if (changed.has("view") && changed.get("view")?.tile !== this.view?.tile) this.rotation = 0;
    if (this.view !== null) this.viewport.update(this.tableIn(this.view));
  }

  private tableIn(view: CarcassonneView): Table {
    const staged = stagedTile(view, this.staged);
    const hint = this.hint === null ? null : (parseMove(this.hint)?.placement ?? null);
    return {
      tiles: staged === null ? view.tiles : [...view.tiles, staged],
      staged,
      last: view.lastMove,
      targets: hint === null ? targetsOf(this.legal) : [hint],
      isActive: this.legal.length > 0,
      isOver: view.phase === "game_over" || this.isStill,
    };
  }

  private layout(row: TileRow): TileLayout {
    const known = this.layouts.get(row.tile);
    if (known !== undefined) return known;
    const layout = layoutOf(row);
    this.layouts.set(row.tile, layout);
    return layout;
  }

  // ---- drawing ---------------------------------------------------------------------------------

  override render(): TemplateResult | null {
    const { view } = this;
    if (view === null) return null;
    const { scale } = this.viewport.camera;
    const enlarged = Math.min(MOST_ENLARGED, Math.max(1, SMALL / scale));
    const picture = this.drawPicture({
      before: svg`<defs>${this.faces(view)}</defs>`,
      world: this.drawWorld(view),
      worldClasses: scale < FAR ? "far" : "",
      worldStyle: `--meeple: ${enlarged}; --pixel: ${1 / scale}`,
      isReachable: true,
    });
    return html`
      <div class="board" @keydown=${this.onKey}>
        ${drawScoreboard(view)}
        <div class="table">
          ${picture} ${drawTilesLeft(view)} ${this.hand(view)}
          ${drawZoomTools(this.viewport, texts.showLastTile)}
        </div>
        ${drawBreakdown(view)}
      </div>
    `;
  }

  protected cellAt({ x, y }: Point): Point {
    return centreOf(tableCell({ x, y }));
  }

  /** The visible kinds of tiles, each drawn once. */
  private faces({ tiles, tile }: CarcassonneView): unknown {
    const letters = new Set([...tiles.map((placed) => placed.tile), tile]);
    const rows = [...this.table.values()].filter((row) => letters.has(row.tile));
    return guard([this.table, ...letters], () =>
      rows.map((row) => svg`<g id="tile-${row.tile}">${drawing.drawTile(this.layout(row))}</g>`),
    );
  }

  private drawWorld(view: CarcassonneView): SVGTemplateResult {
    const staged = stagedTile(view, this.staged);
    const tiles = staged === null ? view.tiles : [...view.tiles, staged];
    return svg`
      <g class="tiles">${repeat(tiles, cellKey, (tile) => this.tile(tile))}</g>
      ${staged === null && view.lastMove !== null ? marks.drawLastMove(view.lastMove) : nothing}
      <g class="standing">${view.meeples.map((meeple) => this.meeple(meeple, view))}</g>
      ${staged === null && view.lastMove !== null ? marks.drawAwards(view.lastMove) : nothing}
      ${this.pointedOut(view)}
      ${staged === null ? this.targets(view) : this.spots(view, staged)}
      ${drawLabels(gridAround(tiles), this.viewport.camera, this.viewport.size)}
      ${this.notes.draw(SIZE)}`;
  }

  private tile({ tile, rotation, ...cell }: Placed): SVGTemplateResult {
    return svg`<g transform="${drawing.at(centreOf(cell))} rotate(${rotation})">
      <use href="#tile-${tile}"></use></g>`;
  }

  private meeple(
    { spot, seat, ...cell }: StandingMeeple,
    { tiles, scores }: CarcassonneView,
  ): SVGTemplateResult {
    const tile = tiles.find((placed) => cellKey(placed) === cellKey(cell));
    const at = (tile === undefined ? null : this.spotPoint(tile, spot)) ?? { x: 0, y: 0 };
    const { x, y } = centreOf(cell);
    return svg`<g class="seat-${seat}" transform="translate(${x + at.x} ${y + at.y}) scale(1.25)">
      ${drawing.drawMeeple(spot, drawing.seatMark(seat, scores.length))}</g>`;
  }

  private spotPoint({ tile, rotation }: Placed, spot: string): Point | null {
    const row = this.table.get(tile);
    return row === undefined ? null : spotPoint(row, this.layout(row), rotation, spot);
  }

  /** A move of the seat to act that an engine suggests. */
  private pointedOut(view: CarcassonneView): SVGTemplateResult | typeof nothing {
    const move = this.hint === null ? null : parseMove(this.hint);
    if (move?.placement == null || view.tile === null) return nothing;
    const placed: Placed = { ...move.placement, tile: view.tile };
    const { x, y } = centreOf(placed);
    const at = move.spot === null ? null : this.spotPoint(placed, move.spot);
    return svg`<g class="pointed-out">${this.tile(placed)}</g>
      <g class="marks seat-${view.toMove ?? 0}" transform="translate(${x} ${y})">
        ${marks.square("hint", HALF)}
        ${at === null ? nothing : svg`<g transform="${drawing.at(at)} scale(1.25)">${drawing.drawMeeple(move.spot ?? "")}</g>`}
      </g>`;
  }

  private targets(view: CarcassonneView): unknown {
    const targets = targetsOf(this.legal);
    const reached = this.reachedOf(targets.map(cellKey));
    return repeat(targets, cellKey, (target) => this.target(view, target, cellKey(target) === reached));
  }

  private target({ tile }: CarcassonneView, target: Target, isReached: boolean): SVGTemplateResult {
    const aimed = this.aimedAt(target);
    const rotation = aimed?.rotation ?? rotationFrom(target, this.rotation);
    const classes = [aimed === null ? "" : "aimed", target.rotations.includes(this.rotation) ? "fits" : ""];
    const isTurnable = target.rotations.length > 1;
    const words =
      aimed === null
        ? texts.target(target.x, target.y)
        : texts.turnedTarget(target.x, target.y, rotation, isTurnable);
    return svg`<g class="target ${classes.join(" ")}" transform=${drawing.at(centreOf(target))}
      data-reach=${cellKey(target)} role="button" tabindex=${isReached ? 0 : -1}
      aria-label=${words} aria-pressed=${String(aimed !== null)}
      @click=${(event: MouseEvent) => {
        this.onTarget(event, target);
      }}
      @focus=${(event: FocusEvent) => {
        this.onReach(event, target);
      }}>
      <g class="ghost" transform="rotate(${rotation})">
        ${tile === null ? nothing : svg`<use href="#tile-${tile}"></use>`}</g>
      ${marks.square("area", HALF - 3)}
      ${isTurnable && aimed !== null ? marks.drawTurnSign() : nothing}
    </g>`;
  }

  private aimedAt(cell: Cell): Placement | null {
    const aimed = this.aimed === null ? null : parsePlacement(this.aimed);
    return aimed !== null && cellKey(aimed) === cellKey(cell) ? aimed : null;
  }

  private spots(view: CarcassonneView, staged: Placed): unknown {
    const row = this.table.get(staged.tile);
    if (row === undefined) return nothing;
    const spots = spotsOf(row, this.layout(row), staged.rotation, this.legal);
    const reached = this.reachedOf(spots.map(({ spot }) => spot));
    const { x, y } = centreOf(staged);
    return svg`<g class="seat-${view.toMove ?? 0}" transform="translate(${x} ${y})">
      <g class="marks">${marks.square("last-rim", HALF)} ${marks.square("last", HALF)}</g>
      ${repeat(
        spots,
        ({ spot }) => spot,
        (target) => this.spot(target, target.spot === reached),
      )}
    </g>`;
  }

  private spot({ spot, at }: SpotTarget, isReached: boolean): SVGTemplateResult {
    return svg`<g class="spot ${spot === this.aimed ? "aimed" : ""}" transform=${drawing.at(at)}
      data-reach=${spot} role="button" tabindex=${isReached ? 0 : -1}
      aria-label=${texts.meepleTarget(describeSpot(spot))} aria-pressed=${String(spot === this.aimed)}
      @click=${(event: MouseEvent) => {
        this.onSpot(event, spot);
      }}
      @focus=${() => {
        this.reached = spot;
      }}>
      <circle r=${SPOT}/><g transform="scale(0.8)">${drawing.drawMeeple(spot)}</g>
    </g>`;
  }

  /** The tile in hand, which a press turns, then a meeple; both can be dragged to their place. */
  private hand(view: CarcassonneView): TemplateResult | typeof nothing {
    const { tile, toMove } = view;
    if (this.staged.length > 0) return this.meepleInHand(view);
    if (tile === null) return nothing;
    const face = svg`<g transform="rotate(${this.shownRotation()})"><use href="#tile-${tile}"></use></g>`;
    const picture = html`<svg class="face" viewBox="-51 -51 102 102" aria-hidden="true">${face}</svg>`;
    if (this.legal.length === 0)
      return html`<span class="hand seat-${toMove ?? 0}" role="img" aria-label=${texts.tileInHand(tile)}
        >${picture}</span
      >`;
    return html`<button
      class="hand"
      data-drag="tile"
      aria-label=${texts.turnTile}
      title=${texts.turnTileByKey}
      @click=${this.turn}
      ${pointers(this.gestures)}
    >
      ${picture}<svg class="arrow" viewBox="0 0 24 24" aria-hidden="true"><path d=${marks.TURN} /></svg>
    </button>`;
  }

  /** For the keyboard there are the places. */
  private meepleInHand({ toMove }: CarcassonneView): TemplateResult | typeof nothing {
    if (this.legal.every((text) => text === SKIP)) return nothing;
    return html`<span
      class="hand seat-${toMove ?? 0}"
      data-drag="meeple"
      aria-hidden="true"
      title=${texts.dragMeeple}
      ${pointers(this.gestures)}
    >
      <svg class="face" viewBox="-17 -17 34 34">${svg`${drawing.drawMeeple("")}`}</svg>
    </span>`;
  }

  private shownRotation(): number {
    return (this.aimed === null ? null : parsePlacement(this.aimed)?.rotation) ?? this.rotation;
  }

  // ---- picking ---------------------------------------------------------------------------------

  /** The first press aims at the cell, the following ones turn the tile. */
  private aimOrTurn(target: Target): void {
    const aimed = this.aimedAt(target);
    const rotation =
      aimed === null ? rotationFrom(target, this.rotation) : rotationFrom(target, aimed.rotation, 1);
    this.rotation = rotation;
    this.aim(placementText({ x: target.x, y: target.y, rotation }));
  }

  private onTarget(event: MouseEvent, target: Target): void {
    event.stopPropagation();
    const click = this.gestures.clickOf(event);
    if (click === "swipe") return;
    this.aimOrTurn(target);
    if (click === "tap") this.viewport.approach(target);
  }

  /** A cell that the keyboard reaches comes into the picture; under a mouse or a finger, nothing moves. */
  private onReach({ target }: FocusEvent, cell: Cell): void {
    this.reached = cellKey(cell);
    if ((target as Element).matches(":focus-visible")) this.viewport.reveal(cell);
  }

  private onSpot(event: MouseEvent, spot: string): void {
    event.stopPropagation();
    const click = this.gestures.clickOf(event);
    if (click === "swipe") return;
    const isHit = isSure(this.renderRoot.querySelector(".world"), 2 * SPOT);
    if (click === "tap" && spot !== this.aimed && !isHit) this.aim(spot);
    else this.play(spot);
  }

  protected onGround(event: MouseEvent): void {
    if (this.aimed !== null) this.aim(null);
    else this.attempt(event);
  }

  /** Lets the rules say why the tile does not fit on a cell, or a meeple not on a spot. */
  private attempt(event: MouseEvent): void {
    const { view } = this;
    const point = this.pointAt(event);
    if (view === null || point === null) return;
    const staged = stagedTile(view, this.staged);
    if (staged === null) this.attemptCell(view, tableCell(point));
    else this.attemptSpot(staged, this.spotNear(staged, point));
  }

  private attemptCell({ tiles }: CarcassonneView, cell: Cell): void {
    const isFree = !tiles.some((tile) => isSame(tile, cell));
    if (isFree) this.block({ move: placementText({ ...cell, rotation: this.rotation }) });
  }

  private attemptSpot(staged: Placed, spot: string | null): void {
    if (spot !== null) this.block({ move: `${placementText(staged)} ${spot}` });
  }

  /** The spot of a tile that is nearest to a point on it; null beside the tile. */
  private spotNear(tile: Placed, point: Point): string | null {
    const row = this.table.get(tile.tile);
    if (row === undefined || !isSame(tableCell(point), tile)) return null;
    const middle = centreOf(tile);
    const at = { x: point.x - middle.x, y: point.y - middle.y };
    return nearestSpot(row, this.layout(row), tile.rotation, at);
  }

  private readonly turn = (event: MouseEvent): void => {
    if (this.gestures.clickOf(event) !== "swipe") this.turnBy(1);
  };

  /** Aims at the cell on which the tile is dropped, or plays the meeple to the spot. */
  protected onDrop(piece: string, over: Element | null, at: MouseEvent): void {
    if (piece === "meeple") {
      this.onMeeple(at);
      return;
    }
    const reach = over?.closest<SVGElement>(".target")?.dataset.reach;
    const target = targetsOf(this.legal).find((one) => cellKey(one) === reach);
    if (target !== undefined) this.aimOrTurn(target);
    else this.attempt(at);
  }

  private onMeeple(at: MouseEvent): void {
    const staged = this.view === null ? null : stagedTile(this.view, this.staged);
    const point = this.pointAt(at);
    const spot = staged === null || point === null ? null : this.spotNear(staged, point);
    if (staged === null || spot === null) return;
    if (this.legal.includes(spot)) this.play(spot);
    else this.attemptSpot(staged, spot);
  }

  /** Turns the aimed tile to its next legal rotation, or the one in hand by a quarter. */
  private turnBy(steps: number): void {
    const aimed = this.aimed === null ? null : parsePlacement(this.aimed);
    const target = targetsOf(this.legal).find((one) => aimed !== null && cellKey(one) === cellKey(aimed));
    if (aimed === null || target === undefined) {
      this.rotation = (this.rotation + 90 * steps + 360) % 360;
      return;
    }
    const rotation = rotationFrom(target, aimed.rotation, steps);
    this.rotation = rotation;
    this.aim(placementText({ ...aimed, rotation }));
  }

  // ---- keyboard --------------------------------------------------------------------------------

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLButtonElement) return;
    const from = (event.target as Element).closest("[data-reach]");
    const direction = ARROWS[event.key];
    if (direction !== undefined) this.onArrow(event, from, direction);
    else if (event.key === "Enter" || event.key === " ") this.pickWithKey(event.key, from);
    else if (event.key === "Escape" && this.aimed !== null) this.aim(null);
    else if (!this.onLetter(event.key) && !this.zoomWith(event)) return;
    event.preventDefault();
  };

  private onArrow({ shiftKey }: KeyboardEvent, from: Element | null, { x, y }: Point): void {
    if (from !== null && !shiftKey) this.moveFocus(from, { x, y });
    else this.viewport.pan({ x: -x * PAN_STEP, y: -y * PAN_STEP });
  }

  private moveFocus(from: Element, direction: Point): void {
    const others = [...this.renderRoot.querySelectorAll<SVGElement>("[data-reach]")];
    const index = nearest(middleOf(from), direction, others.map(middleOf));
    if (index !== null) others[index]?.focus();
  }

  private onLetter(key: string): boolean {
    if (key === "r") this.turnBy(1);
    else if (key === "R") this.turnBy(-1);
    else return false;
    return true;
  }

  /** Enter places the tile that is aimed at, the space bar turns it. */
  private pickWithKey(key: string, from: Element | null): void {
    const reach = from?.getAttribute("data-reach") ?? null;
    const target = targetsOf(this.legal).find((one) => cellKey(one) === reach);
    if (target === undefined) {
      if (reach !== null) this.play(reach);
    } else if (key === "Enter" && this.aimed !== null && this.aimedAt(target) !== null) this.play(this.aimed);
    else this.aimOrTurn(target);
  }

  /** What the tab key reaches: what had the focus last, if it is still there. */
  private reachedOf(keys: readonly string[]): string | undefined {
    return keys.includes(this.reached) ? this.reached : keys[0];
  }
}

function middleOf(element: Element): Point {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
