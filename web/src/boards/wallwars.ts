// <wallwars-board>: draws a Wallwars position and lets one of the given legal actions be picked. It knows no rules.
// Found by its file name; the game page sets the properties of BoardElement and listens to "action".
import { LitElement, html, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { BoardElement } from "../boards";
import { ARROWS, nearest, type Point } from "./common/arrows";
import * as drawing from "./wallwars/drawing";
import { UNIT } from "./wallwars/geometry";
import { composeMove, describe, describeMove, parseMove, type Action } from "./wallwars/notation";
import { hintOf, scene, type Scene, type WallwarsView } from "./wallwars/scene";
import { wallwarsStyles } from "./wallwars/styles";
import { drawTarget, targetsOf, type Target } from "./wallwars/targets";

@customElement("wallwars-board")
export class WallwarsBoard extends LitElement implements BoardElement<WallwarsView> {
  static override styles = wallwarsStyles;

  @property({ attribute: false }) view: WallwarsView | null = null;
  @property({ attribute: false }) legal: readonly string[] = [];
  @property({ attribute: false }) staged: readonly string[] = [];
  @property({ attribute: false }) lastMove: string | null = null;
  @property({ attribute: false }) hint: string | null = null;
  @property({ attribute: false }) isFlipped = false;

  readonly lesson =
    "A turn is two actions: pick a dot to step there, or an edge between two cells to build a wall.";

  /** Text of the target that the tab key reaches; arrow keys move it. */
  @state() private reached = "";
  /** Text of the target under the finger; lifting the finger picks it. */
  @state() private aimed: string | null = null;
  /** The keyboard has picked a target: the focus comes back as soon as there are targets again. */
  private isKeyboardWaiting = false;

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
        class=${this.legal.length > 0 ? "active" : ""}
        viewBox=${drawing.viewBox(boardWidth, boardHeight)}
        role="group"
        aria-label="Board"
        @pointerdown=${this.aim}
        @pointermove=${this.aim}
        @pointerup=${this.release}
        @pointercancel=${this.dropAim}
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

  protected override updated(): void {
    if (!this.isKeyboardWaiting || this.legal.length === 0 || document.activeElement !== document.body)
      return;
    this.isKeyboardWaiting = false;
    this.renderRoot.querySelector<SVGGElement>('.target[tabindex="0"]')?.focus();
  }

  private picture(view: WallwarsView): Scene {
    const read = (text: string): Action[] => parseMove(text, view.boardHeight);
    return scene(view, this.staged.flatMap(read), this.lastMove === null ? [] : read(this.lastMove));
  }

  /** An action keeps its element, and with it the focus, for as long as it may be picked. */
  private drawTargets({ boardHeight, turn }: WallwarsView): unknown {
    const targets = targetsOf(this.legal, boardHeight);
    const reached = targets.find(({ text }) => text === this.reached) ?? targets.at(-1);
    return repeat(
      targets,
      ({ text }) => text,
      (target) => svg`
        <g class="target ${target.action.kind} seat-${turn - 1} ${target.text === this.aimed ? "aimed" : ""}"
          data-action=${target.text}
          role="button" tabindex=${target === reached ? 0 : -1} aria-label=${describe(target.action, boardHeight)}
          @click=${(event: MouseEvent) => {
            this.onClick(event, target);
          }}
          @focus=${() => {
            this.reached = target.text;
          }}
          @keydown=${(event: KeyboardEvent) => {
            this.onKey(event, target, targets);
          }}>
          ${drawTarget(target)}
        </g>`,
    );
  }

  private pick(text: string): void {
    this.dispatchEvent(new CustomEvent<string>("action", { detail: text, bubbles: true, composed: true }));
  }

  // ---- fingers: aim, slide, lift -------------------------------------------------------------

  private readonly aim = (event: PointerEvent): void => {
    if (event.pointerType === "touch") this.aimed = this.actionAt(event.clientX, event.clientY);
  };

  private readonly release = (event: PointerEvent): void => {
    if (event.pointerType !== "touch") return;
    const text = this.actionAt(event.clientX, event.clientY);
    this.aimed = null;
    if (text !== null) this.pick(text);
  };

  private readonly dropAim = (): void => {
    this.aimed = null;
  };

  private actionAt(x: number, y: number): string | null {
    const hit = this.shadowRoot?.elementFromPoint(x, y)?.closest(".target");
    return hit?.getAttribute("data-action") ?? null;
  }

  /** A finger has picked when it was lifted; the click that follows says nothing new. */
  private onClick(event: MouseEvent, { text }: Target): void {
    const isTouch = event instanceof PointerEvent && event.pointerType === "touch";
    if (!isTouch) this.pick(text);
  }

  // ---- keyboard ------------------------------------------------------------------------------

  private onKey(event: KeyboardEvent, target: Target, targets: readonly Target[]): void {
    const direction = ARROWS[event.key];
    if (direction !== undefined) this.moveFocus(target, direction, targets);
    else if (event.key === "Enter" || event.key === " ") {
      this.isKeyboardWaiting = true;
      this.pick(target.text);
    } else return;
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
