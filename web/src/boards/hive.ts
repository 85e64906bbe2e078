// <hive-board>: draws a Hive position and lets the player pick a legal move: first the piece, in the reserve or on the
// board and of either colour, then its place. It knows no rules.
// Found by its file name; the game page sets the properties of BoardElement and listens to "action".
import { html, nothing, svg, type PropertyValues, type SVGTemplateResult, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import * as texts from "#texts/boards/hive";
import type { BoardElement } from "../boards";
import { ARROWS, type Point } from "./common/arrows";
import { AreaViewport } from "./common/area-viewport";
import { noteStyles } from "./common/notes";
import { PictureBoard } from "./common/picture-board";
import { pictureStyles } from "./common/picture-styles";
import { drawZoomTools } from "./common/zoom-tools";
import * as drawing from "./hive/drawing";
import { FocusMemory, focusNear, moveFocus } from "./hive/focus";
import {
  HALF_WIDTH,
  VIEW,
  areaAround,
  centre,
  inView,
  nearestCell,
  nearestCentre,
  tileCentre,
} from "./hive/geometry";
import { PASS, describeMove, describeStack, parseMove, parsePiece, pieceName } from "./hive/notation";
import {
  cellKey,
  intentionsOf,
  isFirst,
  isSameCell,
  moveTo,
  sourcesOf,
  stepFrom,
  stacksOf,
  targetsOf,
  tilesOf,
  type HiveView,
  type Stacks,
  type Target,
  type Tile,
} from "./hive/scene";
import { drawInvitation, drawPass, drawPassed } from "./hive/notices";
import { setUp } from "./hive/set-up";
import { SEAT_COLOURS, SLOT, hiveStyles } from "./hive/styles";
import { tileColours } from "./hive/tile-colours";
import { drawTray } from "./hive/tray";

/** Height in CSS pixels of both reserves, including their gaps to the hive. */
const TRAYS = 2 * SLOT + 10;
/** The width of the pieces of a small hive is not larger, in CSS pixels. */
const LARGEST = 130;

/** What to draw, computed once per rendering. */
interface RenderState {
  readonly view: HiveView;
  readonly stacks: Stacks;
  readonly sources: ReadonlySet<string>;
  readonly targets: readonly Target[];
  /** What the Tab key reaches: the name of a piece, or a place for the selected one. */
  readonly reached: string | null;
}

@customElement("hive-board")
export class HiveBoard extends PictureBoard<HiveView, AreaViewport> implements BoardElement<HiveView> {
  static override styles = [pictureStyles, noteStyles, tileColours, hiveStyles];

  @property({ attribute: false }) below = 0;

  readonly colours = SEAT_COLOURS;
  readonly recordFormat = ["uhp", texts.recordFormat] as const;
  override readonly setUp = setUp;
  readonly lesson = texts.lesson;

  /** Name of the piece whose places are shown. */
  @state() private selected: string | null = null;
  /** Key of the cell whose stack is spread out. */
  @state() private opened: string | null = null;
  /** Where the moves lead that can be made in advance. */
  private intentions: readonly Target[] = [];
  private readonly focused = new FocusMemory(this);

  constructor() {
    super((onChange) => new AreaViewport(onChange, { cell: 2 * HALF_WIDTH, largest: LARGEST }));
    this.addController(this.focused);
  }

  /** A low board is wider than its hive, as the reserves need space. */
  widthFor(height: number): number {
    return Math.max(height, ((height - TRAYS) * VIEW.width) / VIEW.height);
  }

  compose(actions: readonly string[]): string {
    return actions.at(-1) ?? PASS;
  }

  spell(move: string): string {
    return describeMove(move);
  }

  premoves(actions: readonly string[]): string[] {
    if (actions.length > 0 || this.view === null || this.seat === null) return [];
    this.intentions = intentionsOf(this.view, this.seat);
    return this.intentions.map(({ text }) => text);
  }

  /** The legal move of the same piece to the same place. */
  renewed(action: string): string {
    const to = this.intentions.find(({ text }) => text === action);
    const name = parseMove(action)?.piece.name;
    if (to === undefined || name === undefined || this.view === null) return action;
    return targetsOf(this.view, this.legal, name).find((one) => isSameCell(one, to))?.text ?? action;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    if (this.selected !== null && !sourcesOf(this.legal).has(this.selected)) this.selected = null;
    if (this.view !== null) this.frame(this.view, changed.has("view"));
  }

  private frame({ cells, lastMove }: HiveView, isNew: boolean): void {
    const to = lastMove === null || !isNew ? undefined : centre(lastMove.to, this.isFlipped);
    const staged = this.view === null ? cells : [...stacksOf(this.view, this.staged).values()].flat();
    this.viewport.update(areaAround(staged, this.isFlipped), to);
  }

  override render(): TemplateResult | null {
    const { view } = this;
    if (view === null) return null;
    const picture = this.picture(view);
    return html`
      <div class="board ${this.isPremove ? "premove" : ""}" @keydown=${this.onKey}>
        ${this.tray(picture, 1 - this.below)}
        <div class="table">
          ${this.drawPicture({ world: this.hive(picture), after: this.spread(picture), worldClasses: "hive" })}
          ${this.notice(view)}
          ${
            this.viewport.isSmall || !this.viewport.showsEverything
              ? drawZoomTools(this.viewport, texts.showHive)
              : nothing
          }
        </div>
        ${this.tray(picture, this.below)}
      </div>
    `;
  }

  private notice(view: HiveView): TemplateResult | typeof nothing {
    if (this.legal.length === 1 && this.legal[0] === PASS)
      return drawPass(() => {
        this.play(PASS);
      });
    if (this.lastMove === PASS) return drawPassed(1 - view.toMove);
    return this.isInviting(view) ? drawInvitation(view.toMove === this.below) : nothing;
  }

  /** Whether all that the player can do is to take a first piece from the hand. */
  private isInviting(view: HiveView): boolean {
    return isFirst(view) && this.legal.length > 0 && this.selected === null && !this.isPremove;
  }

  protected cellAt(point: Point): Point {
    return nearestCentre(point);
  }

  /** A sentence of the rules with the names of pieces in words. */
  inWords(text: string): string {
    return text.replace(/\b[wb][A-Z]\d?\b/g, (name) => {
      const piece = parsePiece(name);
      return piece === null ? name : pieceName(piece);
    });
  }

  private picture(view: HiveView): RenderState {
    const stacks = stacksOf(view, this.staged);
    const sources = sourcesOf(this.legal);
    const targets = this.selected === null ? [] : targetsOf(view, this.legal, this.selected);
    const high = [...stacks.values()].flatMap((stack) =>
      stack.length > 1 ? (stack.at(-1)?.name ?? []) : [],
    );
    const reachable = [...targets.map(reachOf), ...sources, ...high];
    const reached = reachable.includes(this.focused.reached) ? this.focused.reached : (reachable[0] ?? null);
    return { view, stacks, sources, targets, reached };
  }

  // ---- drawing -------------------------------------------------------------------------------

  private tray({ view, sources, reached }: RenderState, seat: number): TemplateResult {
    return drawTray(view, {
      seat,
      sources,
      reached,
      selected: this.selected,
      isInviting: this.isInviting(view) && seat === view.toMove,
      hinted: this.hint === null ? null : (parseMove(this.hint)?.piece.name ?? null),
      gestures: this.gestures,
      pick: (event, { name }) => {
        if (this.gestures.clickOf(event) !== "swipe") this.select(name);
      },
      focus: (event, name) => {
        this.focused.keep(event, name);
      },
    });
  }

  /** The seat whose move is being made. */
  private mover({ toMove }: HiveView): number {
    return this.isPremove && this.seat !== null ? this.seat : toMove;
  }

  /** Draws places on the ground below the marks of surrounding pieces, and places on top of pieces above everything. */
  private hive(picture: RenderState): SVGTemplateResult {
    const { view, stacks, targets } = picture;
    const from = this.staged.length > 0 ? null : (view.lastMove?.from ?? null);
    return svg`
      ${from === null ? nothing : drawing.drawOrigin(from, this.isFlipped)}
      ${this.places(
        targets.filter(({ level }) => level === 0),
        picture,
      )}
      ${repeat(
        tilesOf(stacks),
        ({ name }) => name,
        (tile) => this.tile(tile, picture),
      )}
      ${this.hint === null ? nothing : drawing.drawHint(view, this.hint, this.isFlipped)}
      ${this.places(
        targets.filter(({ level }) => level > 0),
        picture,
      )}
      ${this.notes.draw(2 * HALF_WIDTH)}`;
  }

  private places(targets: readonly Target[], picture: RenderState): unknown {
    return repeat(
      targets,
      ({ text }) => text,
      (target) => this.target(target, picture),
    );
  }

  /** Draws a piece. It keeps its element from one position to the next, so that it glides. */
  private tile(tile: Tile, picture: RenderState): SVGTemplateResult {
    const { x, y } = tileCentre(tile, this.isFlipped);
    const { name, level, height } = tile;
    const isTop = level === height - 1;
    const isSource = isTop && picture.sources.has(name);
    const isReachable = isSource || (isTop && height > 1);
    const isForeign = isSource && tile.seat !== this.mover(picture.view);
    const classes = [
      isSource ? "source" : "",
      isForeign ? "foreign" : "",
      name === this.selected ? "selected" : "",
    ];
    return svg`<g class="piece ${classes.join(" ")}" style="transform: translate(${x}px, ${y}px)"
      data-reach=${isReachable ? name : nothing} data-drag=${isSource ? name : nothing}
      tabindex=${isReachable ? (name === picture.reached ? 0 : -1) : nothing}
      role=${isSource ? "button" : "img"} aria-pressed=${isSource ? String(name === this.selected) : nothing}
      aria-hidden=${isTop ? nothing : "true"} aria-label=${isTop ? labelOf(tile, picture.stacks) : nothing}
      @click=${(event: MouseEvent) => {
        this.onTile(event, tile, isSource);
      }}
      @focus=${(event: FocusEvent) => {
        this.onFocus(event, name, tile);
      }}
      @blur=${this.close}
      @pointerenter=${(event: PointerEvent) => {
        this.onPointer(event, tile);
      }}
      @pointerleave=${this.onLeave}>
      ${drawing.drawTile(tile)}
      ${isTop ? this.marks(tile, picture.view) : nothing}
    </g>`;
  }

  private marks(tile: Tile, { lastMove, resting }: HiveView): SVGTemplateResult {
    const isLast = this.staged.length === 0 && tile.name === lastMove?.piece;
    return svg`<path class="rim" d=${drawing.MARK}/>
      ${isLast || this.isStaged(tile) ? drawing.drawArrival(isLast ? "" : "staged") : nothing}
      ${tile.name === resting && this.staged.length === 0 ? drawing.drawRest() : nothing}
      ${tile.height > 1 ? drawing.drawHeight(tile) : nothing}`;
  }

  private target(target: Target, { reached }: RenderState): SVGTemplateResult {
    const point = drawing.targetCentre(target, this.isFlipped);
    const piece = parseMove(target.text)?.piece;
    const reach = reachOf(target);
    const isAimed = target.text === this.aimed;
    const classes = [target.level > 0 ? "climb" : "", isAimed ? "aimed" : ""];
    return svg`<g class="target ${classes.join(" ")}" transform=${drawing.at(point)}
      data-text=${target.text} data-reach=${reach} tabindex=${reach === reached ? 0 : -1} role="button" aria-label=${describeMove(target.text)}
      aria-pressed=${String(isAimed)}
      @click=${(event: MouseEvent) => {
        this.onTarget(event, target);
      }}
      @focus=${(event: FocusEvent) => {
        this.onFocus(event, reach, target);
      }}
      @blur=${this.close}
      @pointerenter=${(event: PointerEvent) => {
        this.onPointer(event, target);
      }}
      @pointerleave=${this.onLeave}>
      <path class="area" d=${drawing.CELL}/>
      ${piece === undefined ? nothing : svg`<g class="ghost">${drawing.drawTile(piece)}</g>`}
      <circle class="offer" r="11"/>
      <path class="outline" d=${drawing.CELL} transform="scale(0.9)"/>
    </g>`;
  }

  private spread({ stacks }: RenderState): SVGTemplateResult | typeof nothing {
    const tiles = stacks.get(this.opened ?? "") ?? [];
    const [bottom] = tiles;
    if (bottom === undefined || tiles.length < 2) return nothing;
    const { size, camera } = this.viewport;
    const unit = Math.min(size.width / VIEW.width, size.height / VIEW.height);
    const frame = { middle: camera.middle, scale: camera.scale / unit };
    return svg`<g transform="scale(${unit})">
      ${drawing.drawSpread(tiles, inView(centre(bottom, this.isFlipped), frame), frame.scale)}
    </g>`;
  }

  // ---- picking -------------------------------------------------------------------------------

  private select(name: string | null): void {
    this.selected = this.selected === name ? null : name;
    this.opened = null;
    this.aim(null);
  }

  protected override play(text: string): void {
    this.focused.awaitMoves();
    this.selected = this.opened = null;
    super.play(text);
  }

  protected override onLift(name: string): void {
    if (this.selected !== name) this.select(name);
  }

  /** A tap where cells are small comes nearer, and has to be repeated. */
  private onTarget(event: MouseEvent, target: Target): void {
    event.stopPropagation();
    const click = this.gestures.clickOf(event);
    if (click === "swipe") return;
    const { text } = target;
    const isUnsure = click === "tap" && this.viewport.approach(drawing.targetCentre(target, this.isFlipped));
    if (isUnsure && text !== this.aimed) this.aim(text);
    else this.play(text);
  }

  /** Beside all places, the piece goes back. */
  protected onDrop(_name: string, over: Element | null, at: MouseEvent): void {
    const text = over?.closest<SVGElement>(".target")?.dataset.text;
    if (text !== undefined && this.legal.includes(text)) this.play(text);
    else this.onGround(at);
  }

  /** Deselects the piece; where it would touch others, the rules say why it may not go there. */
  protected onGround(at: MouseEvent): void {
    const { view, selected } = this;
    const point = this.pointAt(at);
    if (view !== null && selected !== null && point !== null) {
      const move = moveTo(view, selected, nearestCell(point, this.isFlipped));
      if (move !== null && !this.legal.includes(move)) this.block({ move });
    }
    this.select(null);
  }

  /** Selects a piece, or takes back its staged move. Fingers cannot hover, so a tap also spreads the stack. */
  private onTile(event: MouseEvent, tile: Tile, isSource: boolean): void {
    event.stopPropagation();
    const click = this.gestures.clickOf(event);
    if (click === "swipe") return;
    if (this.isStaged(tile)) {
      this.unstage(0);
      return;
    }
    const wasOpened = this.opened === cellKey(tile);
    this.select(isSource ? tile.name : null);
    if (!isSource) this.askWhy(tile);
    if (click === "tap") this.opened = wasOpened ? null : cellKey(tile);
  }

  /** Lets the rules say why a piece of the player may not move: they refuse a step to a place beside it. */
  private askWhy(tile: Tile): void {
    const { view } = this;
    const move = view === null || tile.seat !== this.mover(view) ? null : stepFrom(view, tile);
    if (move !== null) this.block({ move });
  }

  private isStaged({ name }: Tile): boolean {
    return this.staged.some((text) => parseMove(text)?.piece.name === name);
  }

  private onPointer(event: PointerEvent, cell: Tile | Target): void {
    if (event.pointerType !== "touch") this.opened = cellKey(cell);
  }

  private readonly onLeave = (event: PointerEvent): void => {
    if (event.pointerType !== "touch") this.close();
  };

  private readonly close = (): void => {
    this.opened = null;
  };

  private onFocus(event: FocusEvent, reach: string, cell: Tile | Target): void {
    this.focused.keep(event, reach);
    if (!(event.target as Element).matches(":focus-visible")) return;
    this.opened = cellKey(cell);
    this.viewport.reveal(centre(cell, this.isFlipped));
  }

  // ---- keyboard ------------------------------------------------------------------------------

  private readonly onKey = (event: KeyboardEvent): void => {
    if (this.zoomWith(event)) return;
    const from = (event.target as Element).closest("[data-reach]");
    const direction = ARROWS[event.key];
    if (from === null) return;
    if (direction !== undefined) moveFocus(this.renderRoot, from, direction);
    else if (event.key === "Escape" && this.selected !== null) this.letGo();
    else if (event.key === "Enter" || event.key === " ") void this.pickWithKey(from);
    else return;
    event.preventDefault();
  };

  /** Picks with the keyboard. After a piece is selected, the focus moves to its places. */
  private async pickWithKey(from: Element): Promise<void> {
    from.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    await this.updateComplete;
    if (this.selected !== null) this.focused.focusNearest(this.renderRoot, ".target");
  }

  /** Deselects the piece and gives it the focus. */
  private letGo(): void {
    const { selected } = this;
    this.select(null);
    focusNear(this.renderRoot, `[data-reach="${CSS.escape(selected ?? "")}"]`, null);
  }
}

function reachOf({ text }: Target): string {
  return `to ${text}`;
}

function labelOf(tile: Tile, stacks: Stacks): string {
  const stack = stacks.get(cellKey(tile)) ?? [];
  return stack.length > 1 ? describeStack(stack) : pieceName(tile);
}
