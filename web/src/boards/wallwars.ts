// <wallwars-board>: draws a Wallwars position and lets the player pick a legal action: a step by a click on its cell or by
// dragging the piece, a wall by a click near an edge. It knows which actions can follow the first one, and no other rules.
// Found by its file name; the game page sets the properties of BoardElement and listens to "action", "aim" and "unstage".
import {
  LitElement,
  html,
  nothing,
  svg,
  type PropertyValues,
  type SVGTemplateResult,
  type TemplateResult,
} from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { BoardElement } from "../boards";
import { AreaViewport } from "./common/area-viewport";
import { ARROWS, closest, nearest, type Point } from "./common/arrows";
import { Carrier } from "./common/carrier";
import { FocusKeeper } from "./common/focus-keeper";
import { Gestures } from "./common/gestures";
import { Notes, noteStyles } from "./common/notes";
import { PictureSize } from "./common/picture-size";
import { pictureStyles } from "./common/picture-styles";
import { ZOOM_STEP, drawZoomTools } from "./common/zoom-tools";
import * as drawing from "./wallwars/drawing";
import { followUps } from "./wallwars/follow-ups";
import { UNIT, centre, turnedPoint } from "./wallwars/geometry";
import {
  composeMove,
  describe,
  describeMove,
  parseMove,
  type Action,
  type PawnKind,
} from "./wallwars/notation";
import { hintOf, sameCell, scene, type Scene, type ScenePiece, type WallwarsView } from "./wallwars/scene";
import { wallwarsStyles } from "./wallwars/styles";
import { drawTarget, drawWallArea, targetsOf, type Target } from "./wallwars/targets";

/** Cells of a small board are not larger, in CSS pixels. */
const LARGEST = 160;
/** The narrowest picture, whatever the proportions of the board. */
const NARROWEST = 0.8;

@customElement("wallwars-board")
export class WallwarsBoard extends LitElement implements BoardElement<WallwarsView> {
  static override styles = [pictureStyles, noteStyles, wallwarsStyles];

  @property({ attribute: false }) view: WallwarsView | null = null;
  @property({ attribute: false }) legal: readonly string[] = [];
  @property({ attribute: false }) staged: readonly string[] = [];
  @property({ attribute: false }) aimed: string | null = null;
  @property({ attribute: false }) lastMove: string | null = null;
  @property({ attribute: false }) hint: string | null = null;
  @property({ attribute: false }) isFlipped = false;
  @property({ attribute: false }) isEmbedded = false;
  @property({ attribute: false }) seat: number | null = null;
  @property({ attribute: false }) isPremove = false;

  readonly recordFormat = ["wallwars", "text"] as const;
  readonly lesson =
    "Each turn has two actions: choose a dot to move there, or an edge between two cells to build a wall.";

  /** The target that had the focus last. */
  @state() private reached: Target | null = null;
  private readonly viewport = new AreaViewport(
    () => {
      this.requestUpdate();
    },
    { cell: UNIT, largest: LARGEST },
  );
  private readonly notes = new Notes({
    world: () => this.renderRoot.querySelector<SVGGElement>(".world"),
    cellAt: (point) => cellAt(point, this.view),
    onChange: () => {
      this.requestUpdate();
    },
  });
  private readonly gestures = new Gestures(this.viewport, {
    carrier: new Carrier({
      lift: () => {
        this.aim(null);
      },
      drop: (piece, over) => {
        this.onDrop(piece, over);
      },
    }),
    notes: this.notes,
  });

  constructor() {
    super();
    this.addController(new PictureSize(this, this.viewport));
    this.addController(new FocusKeeper(this, ".target"));
  }

  widthFor(height: number): number {
    return this.view === null ? height : height * ratio(this.view);
  }

  compose(actions: readonly string[]): string {
    return composeMove(actions);
  }

  spell(move: string): string {
    return this.view === null ? move : describeMove(move, this.view.boardHeight);
  }

  followUps(actions: readonly string[]): string[] {
    const { view } = this;
    return view === null ? [] : followUps(view, this.mover(view), this.read(view, actions));
  }

  premoves(actions: readonly string[]): string[] {
    return this.followUps(actions);
  }

  /** The seat whose move is being made. */
  private mover({ turn }: WallwarsView): number {
    return this.isPremove && this.seat !== null ? this.seat : turn - 1;
  }

  private read({ boardHeight }: WallwarsView, texts: readonly string[]): Action[] {
    return texts.flatMap((text) => parseMove(text, boardHeight));
  }

  override render(): TemplateResult | null {
    const { view } = this;
    if (view === null) return null;
    const { width, height } = this.viewport.size;
    const { middle, scale } = this.viewport.camera;
    return html`
      <div class="table ${this.viewport.isSmall ? "small" : ""}" style="--ratio: ${ratio(view)}">
        <svg
          class=${this.viewport.oneFinger === "scrolls" ? "" : "zoomed"}
          viewBox="${-width / 2} ${-height / 2} ${width} ${height}"
          role="group"
          aria-label="Board"
          @click=${this.onGround}
          @keydown=${this.onViewKey}
          @wheel=${this.gestures.onWheel}
          @contextmenu=${this.gestures.onMenu}
          @touchstart=${this.gestures.onTouch}
          @touchmove=${this.gestures.onTouch}
          @pointerdown=${this.gestures.onDown}
          @pointermove=${this.gestures.onMove}
          @pointerup=${this.gestures.onUp}
          @pointerleave=${this.gestures.onUp}
          @pointercancel=${this.gestures.onCancel}
        >
          <g
            class="world ${this.gestures.isMoving || !this.viewport.glides ? "" : "gliding"} ${this.isPremove ? "premove" : ""}"
            style="transform: scale(${scale}) translate(${-middle.x}px, ${-middle.y}px)"
          >
            ${this.world(view)}
          </g>
        </svg>
        ${this.viewport.isSmall || !this.viewport.showsEverything ? drawZoomTools(this.viewport, "the board") : nothing}
      </div>
      ${limit(view)}
    `;
  }

  private world(view: WallwarsView): SVGTemplateResult {
    const { boardWidth, boardHeight } = view;
    const { isFlipped } = this;
    const turn = isFlipped ? `rotate(180 ${(boardWidth * UNIT) / 2} ${(boardHeight * UNIT) / 2})` : "";
    const { camera, size } = this.viewport;
    return svg`
      <g transform=${turn}>${drawing.drawGround(boardWidth, boardHeight)} ${drawing.drawGrid(boardWidth, boardHeight)}</g>
      ${drawing.drawLabels({ columns: boardWidth, rows: boardHeight, isFlipped }, camera, size)}
      <g transform=${turn}>${this.contents(view)}</g>
      ${this.notes.draw(UNIT)}`;
  }

  private contents(view: WallwarsView): SVGTemplateResult {
    const { boardHeight } = view;
    const picture = this.picture(view);
    const targets = targetsOf(this.legal, boardHeight, this.aimed);
    const pointedOut = this.hint === null ? null : hintOf(view, parseMove(this.hint, boardHeight));
    const isDraggable = ({ piece, seat, moment }: ScenePiece): boolean =>
      seat === this.mover(view) &&
      moment !== "past" &&
      targets.some(({ action }) => action.kind === "step" && action.pawn === piece);
    return svg`
      ${drawing.drawArrivals(picture)} ${drawing.drawPieces(picture.homes, this.isFlipped)}
      ${picture.walls.map(drawing.drawWall)} ${drawing.drawPieces(picture.pawns, this.isFlipped, isDraggable)}
      ${pointedOut === null ? null : drawing.drawHint(pointedOut)}
      ${this.drawUndoing(view)} ${this.drawTargets(view, targets)}`;
  }

  /** Staged walls, which a click takes back like the staged piece. The page has a button for the keyboard. */
  private drawUndoing(view: WallwarsView): SVGTemplateResult[] {
    return this.read(view, this.staged).flatMap((action, index) => {
      if (action.kind === "step") return [];
      return svg`<g class="undo" @click=${(event: MouseEvent) => {
        this.onUndo(event, index);
      }}>${drawWallArea(action)}</g>`;
    });
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("lastMove") || changed.has("isFlipped")) this.notes.clear();
    this.gestures.isEmbedded = this.isEmbedded;
    const { view } = this;
    if (view === null) return;
    const last = changed.has("lastMove") ? this.read(view, [this.lastMove ?? ""]).at(-1) : undefined;
    this.viewport.update(
      drawing.boardArea(view.boardWidth, view.boardHeight),
      last === undefined ? undefined : this.seen(view, centre(last.cell)),
    );
  }

  /** Where a point of the board is in the picture's coordinates. */
  private seen({ boardWidth, boardHeight }: WallwarsView, point: Point): Point {
    return turnedPoint(point, boardWidth, boardHeight, this.isFlipped);
  }

  private picture(view: WallwarsView): Scene {
    const last = this.lastMove === null ? [] : [this.lastMove];
    return scene(view, this.read(view, this.staged), this.read(view, last), this.mover(view));
  }

  /** Draws the targets. An action keeps its element, and so the focus, as long as it can be picked. */
  private drawTargets(view: WallwarsView, targets: readonly Target[]): unknown {
    const reached = this.nearestTo(this.reached, targets);
    const seat = this.mover(view);
    return repeat(
      targets,
      ({ text }) => text,
      (target) => this.drawTarget(target, target === reached, { seat, rows: view.boardHeight, targets }),
    );
  }

  private drawTarget(
    target: Target,
    isReached: boolean,
    { seat, rows, targets }: { seat: number; rows: number; targets: readonly Target[] },
  ): SVGTemplateResult {
    const { text, action } = target;
    const isAimed = text === this.aimed;
    return svg`
      <g class="target ${action.kind} seat-${seat} ${isAimed ? "aimed" : ""}" data-action=${text}
        role="button" tabindex=${isReached ? 0 : -1} aria-label=${describe(action, rows)}
        aria-pressed=${String(isAimed)}
        @click=${(event: MouseEvent) => {
          this.onClick(event, target);
        }}
        @focus=${(event: FocusEvent) => {
          this.onReach(event, target);
        }}
        @keydown=${(event: KeyboardEvent) => {
          this.onKey(event, target, targets);
        }}>
        ${drawTarget(target, isAimed)}
      </g>`;
  }

  /** What the Tab key reaches: the target that had the focus last, or the one nearest to it. */
  private nearestTo(last: Target | null, targets: readonly Target[]): Target | undefined {
    if (last === null) return targets.at(-1);
    const index = closest(
      last.at,
      targets.map(({ at }) => at),
    );
    return targets.find(({ text }) => text === last.text) ?? targets[index ?? -1];
  }

  // ---- picking -------------------------------------------------------------------------------

  private pick(text: string): void {
    this.aimed = null;
    this.dispatchEvent(new CustomEvent<string>("action", { detail: text, bubbles: true, composed: true }));
  }

  private aim(text: string | null): void {
    this.aimed = text;
    this.dispatchEvent(new CustomEvent("aim", { detail: text, bubbles: true, composed: true }));
  }

  /** A finger takes a step at once, but sees a wall before it stays. Where cells are small, a tap comes nearer first. */
  private onClick(event: MouseEvent, { text, action, at }: Target): void {
    event.stopPropagation();
    const click = this.gestures.clickOf(event);
    const { view } = this;
    if (click === "swipe" || view === null) return;
    const isUnsure =
      click === "tap" && (this.viewport.approach(this.seen(view, at)) || action.kind === "wall");
    if (isUnsure && text !== this.aimed) this.aim(text);
    else this.pick(text);
  }

  /** A target that the keyboard reaches comes into the picture; under a mouse or a finger, nothing moves. */
  private onReach({ target: element }: FocusEvent, target: Target): void {
    this.reached = target;
    if (this.view !== null && (element as Element).matches(":focus-visible"))
      this.viewport.reveal(this.seen(this.view, target.at));
  }

  private readonly onGround = (event: MouseEvent): void => {
    if (this.gestures.clickOf(event) === "swipe") return;
    const piece = (event.target as Element).closest(".piece.next");
    if (piece !== null) this.onUndo(event, this.lastStep(piece.classList.contains("cat") ? "cat" : "mouse"));
    else if (this.aimed !== null) this.aim(null);
  };

  private onUndo(event: MouseEvent, index: number): void {
    event.stopPropagation();
    if (this.gestures.clickOf(event) === "swipe") return;
    this.dispatchEvent(new CustomEvent<number>("unstage", { detail: index, bubbles: true, composed: true }));
  }

  /** The index of a piece's last staged step. */
  private lastStep(pawn: PawnKind): number {
    const staged = this.view === null ? [] : this.read(this.view, this.staged);
    return staged.findLastIndex((action) => action.kind === "step" && action.pawn === pawn);
  }

  private onDrop(piece: string, over: Element | null): void {
    const text = over?.closest<SVGElement>(".target.step")?.dataset.action;
    const [action] = text === undefined || this.view === null ? [] : this.read(this.view, [text]);
    if (action?.kind !== "step") return;
    const meant = targetsOf(this.legal, this.view?.boardHeight ?? 0, null).find(
      (one) =>
        one.action.kind === "step" && one.action.pawn === piece && sameCell(one.action.cell, action.cell),
    );
    if (meant !== undefined) this.pick(meant.text);
  }

  // ---- keyboard ------------------------------------------------------------------------------

  private readonly onViewKey = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): void => {
    if (ctrlKey || metaKey || altKey) return;
    if (key === "+" || key === "=") this.viewport.zoom(ZOOM_STEP);
    else if (key === "-") this.viewport.zoom(1 / ZOOM_STEP);
    else if (key === "0") this.viewport.toggle();
  };

  private onKey(event: KeyboardEvent, target: Target, targets: readonly Target[]): void {
    const direction = ARROWS[event.key];
    if (direction !== undefined) this.moveFocus(target, direction, targets);
    else if (event.key === "Enter" || event.key === " ") this.pick(target.text);
    else return;
    event.preventDefault();
  }

  private moveFocus(from: Target, { x, y }: Point, targets: readonly Target[]): void {
    const way = this.isFlipped ? { x: -x, y: -y } : { x, y };
    const index = nearest(
      from.at,
      way,
      targets.map(({ at }) => at),
    );
    const next = index === null ? undefined : targets[index];
    if (next === undefined) return;
    this.renderRoot.querySelector<SVGGElement>(`[data-action="${CSS.escape(next.text)}"]`)?.focus();
  }
}

function limit({ turnsPlayed, turnsToSurvive }: WallwarsView): TemplateResult | null {
  if (turnsToSurvive === undefined) return null;
  return html`<p>The cat has made ${turnsPlayed} of ${turnsToSurvive} turns.</p>`;
}

/** The middle of the cell at a point; null beside the board. */
function cellAt({ x, y }: Point, view: WallwarsView | null): Point | null {
  const [column, row] = [Math.floor(x / UNIT), Math.floor(y / UNIT)];
  const isOn = view !== null && column >= 0 && row >= 0 && column < view.boardWidth && row < view.boardHeight;
  return isOn ? centre({ row, column }) : null;
}

function ratio({ boardWidth, boardHeight }: WallwarsView): number {
  return Math.max(NARROWEST, boardWidth / boardHeight);
}
