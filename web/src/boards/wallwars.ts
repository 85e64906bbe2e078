// <wallwars-board>: draws a Wallwars position and lets the player pick a legal action: a step by a click on its cell or by
// dragging the piece, a wall by a click near an edge. It knows which actions can follow the first one, and no other rules.
// Found by its file name; the game page sets the properties of BoardElement and listens to "action", "aim" and "unstage".
import { html, nothing, svg, type PropertyValues, type SVGTemplateResult, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import * as texts from "#texts/boards/wallwars";
import type { BoardElement } from "../boards";
import { AreaViewport } from "./common/area-viewport";
import { ARROWS, closest, nearest, type Point } from "./common/arrows";
import { FocusKeeper } from "./common/focus-keeper";
import { drawLabels, labelStyles } from "./common/labels";
import { noteStyles } from "./common/notes";
import { PictureBoard } from "./common/picture-board";
import { pictureStyles } from "./common/picture-styles";
import { drawZoomTools } from "./common/zoom-tools";
import * as drawing from "./wallwars/drawing";
import { followUps } from "./wallwars/follow-ups";
import { UNIT, centre, turnedPoint } from "./wallwars/geometry";
import {
  cellName,
  composeMove,
  describe,
  describeMove,
  parseAction,
  parseMove,
  type Action,
  type PawnKind,
} from "./wallwars/notation";
import { borderAt, cellAt, meantAt, stepTo, type OwnPawn } from "./wallwars/meant";
import { hintOf, scene, type Scene, type ScenePiece, type WallwarsView } from "./wallwars/scene";
import { setUp } from "./wallwars/set-up";
import { wallwarsStyles } from "./wallwars/styles";
import { drawTarget, drawWallArea, targetsOf, type Target } from "./wallwars/targets";

/** Cells of a small board are not larger, in CSS pixels. */
const LARGEST = 160;
/** The narrowest picture, whatever the proportions of the board. */
const NARROWEST = 0.8;

@customElement("wallwars-board")
export class WallwarsBoard
  extends PictureBoard<WallwarsView, AreaViewport>
  implements BoardElement<WallwarsView>
{
  static override styles = [pictureStyles, noteStyles, labelStyles, wallwarsStyles];

  readonly recordFormat = ["wallwars", texts.recordFormat] as const;
  override readonly setUp = setUp;
  readonly lesson = texts.lesson;

  /** The target that had the focus last. */
  @state() private reached: Target | null = null;

  constructor() {
    super((onChange) => new AreaViewport(onChange, { cell: UNIT, largest: LARGEST }));
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

  /** A refusal of the rules with the names of actions in words. */
  inWords(text: string): string {
    const { boardHeight } = this.view ?? { boardHeight: 0 };
    return text.replace(/^[CM>^][a-z]\d+/, (name) => {
      const action = parseAction(name, boardHeight);
      if (action === null) return name;
      return action.kind === "step"
        ? cellName(action.cell, boardHeight)
        : texts.aWall(describe(action, boardHeight));
    });
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
    return html`
      <div
        class="table ${this.viewport.isSmall ? "small" : ""}"
        style="--ratio: ${ratio(view)}"
        @keydown=${this.zoomWith}
      >
        ${this.drawPicture({ world: this.drawWorld(view), worldClasses: this.isPremove ? "premove" : "" })}
        ${this.viewport.isSmall || !this.viewport.showsEverything ? drawZoomTools(this.viewport, texts.showBoard) : nothing}
      </div>
      ${limit(view)}
    `;
  }

  private drawWorld(view: WallwarsView): SVGTemplateResult {
    const { boardWidth, boardHeight } = view;
    const { isFlipped } = this;
    const turn = isFlipped ? `rotate(180 ${(boardWidth * UNIT) / 2} ${(boardHeight * UNIT) / 2})` : "";
    const { camera, size } = this.viewport;
    return svg`
      <g transform=${turn}>${drawing.drawGround(boardWidth, boardHeight)} ${drawing.drawGrid(boardWidth, boardHeight)}</g>
      ${drawLabels(drawing.gridOf(boardWidth, boardHeight, isFlipped), camera, size)}
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
    super.willUpdate(changed);
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

  protected cellAt(point: Point): Point | null {
    const cell = this.view === null ? null : cellAt(point, this.view);
    return cell === null ? null : centre(cell);
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

  /** A finger takes a step at once, but sees a wall before it stays. Where cells are small, a tap comes nearer first. */
  private onClick(event: MouseEvent, { text, action, at }: Target): void {
    event.stopPropagation();
    const click = this.gestures.clickOf(event);
    const { view } = this;
    if (click === "swipe" || view === null) return;
    const isUnsure =
      click === "tap" && (this.viewport.approach(this.seen(view, at)) || action.kind === "wall");
    if (isUnsure && text !== this.aimed) this.aim(text);
    else this.play(text);
  }

  /** A target that the keyboard reaches comes into the picture; under a mouse or a finger, nothing moves. */
  private onReach({ target: element }: FocusEvent, target: Target): void {
    this.reached = target;
    if (this.view !== null && (element as Element).matches(":focus-visible"))
      this.viewport.reveal(this.seen(this.view, target.at));
  }

  /** Takes back what is staged there, drops the aim, or tries what the rules refuse. */
  protected onGround(event: MouseEvent): void {
    const piece = (event.target as Element).closest(".piece.next");
    if (piece !== null) this.onUndo(event, this.lastStep(piece.classList.contains("cat") ? "cat" : "mouse"));
    else if (this.aimed !== null) this.aim(null);
    else this.attempt(event);
  }

  /** Lets the rules say why there is no wall at a point, or why no pawn may go there. */
  private attempt(event: MouseEvent): void {
    const { view } = this;
    const point = this.pointAt(event);
    if (view === null || point === null) return;
    const seen = this.seen(view, point);
    const why = borderAt(seen, view);
    if (why === null) this.blockAction(meantAt(seen, view, this.ownPawns(view)));
    else this.block({ why });
  }

  private blockAction(text: string | null): void {
    if (text !== null && !this.legal.includes(text))
      this.block({ move: this.compose([...this.staged, text]) });
  }

  private ownPawns(view: WallwarsView): OwnPawn[] {
    return this.picture(view).pawns.flatMap(({ piece, seat, cell, moment }) =>
      seat === this.mover(view) && moment !== "past" && piece !== "home" ? { piece, cell } : [],
    );
  }

  private onUndo(event: MouseEvent, index: number): void {
    event.stopPropagation();
    if (this.gestures.clickOf(event) === "swipe") return;
    this.unstage(index);
  }

  /** The index of a piece's last staged step. */
  private lastStep(pawn: PawnKind): number {
    const staged = this.view === null ? [] : this.read(this.view, this.staged);
    return staged.findLastIndex((action) => action.kind === "step" && action.pawn === pawn);
  }

  protected onDrop(piece: string, _over: Element | null, at: MouseEvent): void {
    const { view } = this;
    const point = this.pointAt(at);
    const cell = view === null || point === null ? null : cellAt(this.seen(view, point), view);
    if (view === null || cell === null) return;
    const own = this.ownPawns(view).filter((pawn) => pawn.piece === piece);
    const text = stepTo(cell, view, own);
    if (text !== null && this.legal.includes(text)) this.play(text);
    else this.blockAction(text);
  }

  // ---- keyboard ------------------------------------------------------------------------------

  private onKey(event: KeyboardEvent, target: Target, targets: readonly Target[]): void {
    const direction = ARROWS[event.key];
    if (direction !== undefined) this.moveFocus(target, direction, targets);
    else if (event.key === "Enter" || event.key === " ") this.play(target.text);
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
  return html`<p>${texts.progress(turnsPlayed ?? 0, turnsToSurvive)}</p>`;
}

function ratio({ boardWidth, boardHeight }: WallwarsView): number {
  return Math.max(NARROWEST, boardWidth / boardHeight);
}
