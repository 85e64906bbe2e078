// <wallwars-board>: draws a Wallwars position and lets the player pick a legal action. It knows no rules.
// Found by its file name; the game page sets the properties of BoardElement and listens to "action".
import { LitElement, html, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { BoardElement } from "../boards";
import { ARROWS, closest, nearest, type Point } from "./common/arrows";
import { Fingers, isSure } from "./common/fingers";
import * as drawing from "./wallwars/drawing";
import { UNIT } from "./wallwars/geometry";
import { composeMove, describe, describeMove, parseMove, type Action } from "./wallwars/notation";
import { hintOf, scene, type Scene, type WallwarsView } from "./wallwars/scene";
import { wallwarsStyles } from "./wallwars/styles";
import { STEP_RADIUS, drawTarget, targetsOf, type Target } from "./wallwars/targets";

@customElement("wallwars-board")
export class WallwarsBoard extends LitElement implements BoardElement<WallwarsView> {
  static override styles = wallwarsStyles;

  @property({ attribute: false }) view: WallwarsView | null = null;
  @property({ attribute: false }) legal: readonly string[] = [];
  @property({ attribute: false }) staged: readonly string[] = [];
  @property({ attribute: false }) aimed: string | null = null;
  @property({ attribute: false }) lastMove: string | null = null;
  @property({ attribute: false }) hint: string | null = null;
  @property({ attribute: false }) isFlipped = false;

  readonly recordFormat = ["wallwars", "text"] as const;
  readonly lesson =
    "Each turn has two actions: choose a dot to move there, or an edge between two cells to build a wall.";

  /** The target that had the focus last. */
  @state() private reached: Target | null = null;
  /** That target is gone or will be: the nearest one gets the focus as soon as there are targets again. */
  private isFocusLost = false;
  private readonly fingers = new Fingers();

  widthFor(height: number): number {
    const { boardWidth = 1, boardHeight = 1 } = this.view ?? {};
    const size = drawing.sizeOf(boardWidth, boardHeight);
    return (height * size.width) / size.height;
  }

  compose(actions: readonly string[]): string {
    return composeMove(actions);
  }

  spell(move: string): string {
    return this.view === null ? move : describeMove(move, this.view.boardHeight);
  }

  override render(): TemplateResult | null {
    if (this.view === null) return null;
    const { boardWidth, boardHeight } = this.view;
    const turn = this.isFlipped ? `rotate(180 ${(boardWidth * UNIT) / 2} ${(boardHeight * UNIT) / 2})` : "";
    return html`
      <svg
        viewBox=${drawing.viewBox(boardWidth, boardHeight)}
        role="group"
        aria-label="Board"
        @pointerdown=${this.fingers.onDown}
        @pointermove=${this.fingers.onMove}
        @pointerup=${this.fingers.onUp}
        @pointercancel=${this.fingers.onCancel}
        @click=${this.onGround}
      >
        ${drawing.drawLabels(boardWidth, boardHeight, this.isFlipped)}
        <g transform=${turn}>${this.contents(this.view)}</g>
      </svg>
      ${limit(this.view)}
    `;
  }

  private contents(view: WallwarsView): SVGTemplateResult {
    const { boardWidth, boardHeight } = view;
    const picture = this.picture(view);
    const pointedOut = this.hint === null ? null : hintOf(view, parseMove(this.hint, boardHeight));
    return svg`
      ${drawing.drawGround(boardWidth, boardHeight)} ${drawing.drawArrivals(picture)}
      ${drawing.drawGrid(boardWidth, boardHeight)} ${drawing.drawPieces(picture.homes, this.isFlipped)}
      ${picture.walls.map(drawing.drawWall)} ${drawing.drawPieces(picture.pawns, this.isFlipped)}
      ${pointedOut === null ? null : drawing.drawHint(pointedOut)} ${this.drawTargets(view)}`;
  }

  protected override willUpdate(): void {
    this.isFocusLost ||= this.hasUpdated && this.renderRoot.querySelector(".target:focus-visible") !== null;
  }

  protected override updated(): void {
    const isElsewhere = document.activeElement !== document.body;
    if (this.isFocusLost && this.legal.length > 0 && !isElsewhere)
      this.renderRoot.querySelector<SVGGElement>('.target[tabindex="0"]')?.focus();
    if (this.legal.length > 0 || isElsewhere) this.isFocusLost = false;
  }

  private picture(view: WallwarsView): Scene {
    const read = (text: string): Action[] => parseMove(text, view.boardHeight);
    return scene(view, this.staged.flatMap(read), this.lastMove === null ? [] : read(this.lastMove));
  }

  /** Draws the targets. An action keeps its element, and so the focus, as long as it can be picked. */
  private drawTargets({ boardHeight, turn }: WallwarsView): unknown {
    const targets = targetsOf(this.legal, boardHeight);
    const reached = this.nearestTo(this.reached, targets);
    return repeat(
      targets,
      ({ text }) => text,
      (target) => svg`
        <g class="target ${target.action.kind} seat-${turn - 1} ${target.text === this.aimed ? "aimed" : ""}"
          data-action=${target.text}
          role="button" tabindex=${target === reached ? 0 : -1} aria-label=${describe(target.action, boardHeight)}
          aria-pressed=${String(target.text === this.aimed)}
          @click=${(event: MouseEvent) => {
            this.onClick(event, target);
          }}
          @focus=${() => {
            this.reached = target;
          }}
          @keydown=${(event: KeyboardEvent) => {
            this.onKey(event, target, targets);
          }}>
          ${drawTarget(target)}
        </g>`,
    );
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
    this.dispatchEvent(new CustomEvent<string>("action", { detail: text, bubbles: true, composed: true }));
  }

  private aim(text: string | null): void {
    this.aimed = text;
    this.dispatchEvent(new CustomEvent("aim", { detail: text, bubbles: true, composed: true }));
  }

  private onClick(event: MouseEvent, { text }: Target): void {
    event.stopPropagation();
    const click = this.fingers.clickOf(event);
    if (click === "swipe") return;
    if (click === "tap" && text !== this.aimed && !this.isSure()) this.aim(text);
    else this.pick(text);
  }

  /** Whether a tap is precise enough. Walls are as easy to hit as steps: their diamonds are about as wide. */
  private isSure(): boolean {
    return isSure(this.renderRoot.querySelector("svg"), 2 * STEP_RADIUS);
  }

  private readonly onGround = (event: MouseEvent): void => {
    if (this.aimed !== null && this.fingers.clickOf(event) !== "swipe") this.aim(null);
  };

  // ---- keyboard ------------------------------------------------------------------------------

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
