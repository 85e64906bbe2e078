// <wallwars-board>: draws a Wallwars position and lets one of the given legal actions be picked. It knows no rules.
// Found by its file name; the game page sets the properties of BoardElement and listens to "action".
import { LitElement, html, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { BoardElement } from "../boards";
import * as geometry from "./wallwars/geometry";
import {
  columnName,
  composeMove,
  describe,
  parseAction,
  parseMove,
  rowName,
  type Action,
} from "./wallwars/notation";
import { drawPiece } from "./wallwars/pieces";
import { scene, type Scene, type SceneWall, type WallwarsView } from "./wallwars/scene";
import { wallwarsStyles } from "./wallwars/styles";

const { UNIT } = geometry;
const LABEL_ROOM = 44;
const EDGE_ROOM = 14;
const WALL_INSET = 7;
const STEP_RADIUS = 34;

const ARROWS: Readonly<Record<string, geometry.Point>> = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
};

/** A legal action as something to click on. */
interface Target {
  readonly text: string;
  readonly action: Action;
  readonly at: geometry.Point;
}

@customElement("wallwars-board")
export class WallwarsBoard extends LitElement implements BoardElement<WallwarsView> {
  static override styles = wallwarsStyles;

  @property({ attribute: false }) view: WallwarsView | null = null;
  @property({ attribute: false }) legal: readonly string[] = [];
  @property({ attribute: false }) staged: readonly string[] = [];
  @property({ attribute: false }) lastMove: string | null = null;

  /** Text of the target that the tab key reaches; arrow keys move it. */
  @state() private reached = "";
  /** The keyboard has picked a target: the focus comes back as soon as there are targets again. */
  private isKeyboardWaiting = false;

  compose(actions: readonly string[]): string {
    return composeMove(actions);
  }

  override render(): TemplateResult | null {
    if (this.view === null) return null;
    const { boardWidth, boardHeight } = this.view;
    const width = boardWidth * UNIT;
    const height = boardHeight * UNIT;
    const picture = this.picture(this.view);
    const box = [-LABEL_ROOM, -EDGE_ROOM, width + LABEL_ROOM + EDGE_ROOM, height + LABEL_ROOM + EDGE_ROOM];
    return html`
      <svg viewBox=${box.join(" ")} role="group" aria-label="Board">
        <rect class="ground" width=${width} height=${height} rx="6" />
        ${arrivals(picture)} ${gridLines(boardWidth, boardHeight)} ${labels(boardWidth, boardHeight)}
        ${picture.homes.map((home) => drawPiece(home, place(geometry.centre(home.cell))))}
        ${picture.walls.map(drawWall)} ${pawns(picture)} ${this.drawTargets(boardHeight)}
      </svg>
      ${limit(this.view)}
    `;
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

  /** Walls first: where hit areas overlap, a step lies on top. */
  private targets(boardHeight: number): Target[] {
    const actions = this.legal.flatMap((text) => {
      const action = parseAction(text, boardHeight);
      return action === null ? [] : [{ text, action }];
    });
    const all = actions.map(({ action }) => action);
    const targets = actions.map(({ text, action }) => ({ text, action, at: targetPoint(action, all) }));
    return [
      ...targets.filter(({ action }) => action.kind === "wall"),
      ...targets.filter(({ action }) => action.kind === "step"),
    ];
  }

  private drawTargets(boardHeight: number): SVGTemplateResult[] {
    const targets = this.targets(boardHeight);
    const reached = targets.find(({ text }) => text === this.reached) ?? targets.at(-1);
    return targets.map(
      (target) => svg`
        <g class="target ${target.action.kind} seat-${(this.view?.turn ?? 1) - 1}" data-action=${target.text}
          role="button" tabindex=${target === reached ? 0 : -1} aria-label=${describe(target.action, boardHeight)}
          @click=${() => {
            this.pick(target);
          }}
          @focus=${() => {
            this.reached = target.text;
          }}
          @keydown=${(event: KeyboardEvent) => {
            this.onKey(event, target, targets);
          }}>
          ${target.action.kind === "wall" ? wallTarget(target.action) : stepTarget(target)}
        </g>`,
    );
  }

  private pick({ text }: Target): void {
    this.dispatchEvent(new CustomEvent<string>("action", { detail: text, bubbles: true, composed: true }));
  }

  private onKey(event: KeyboardEvent, target: Target, targets: readonly Target[]): void {
    const direction = ARROWS[event.key];
    if (direction !== undefined) this.moveFocus(target, direction, targets);
    else if (event.key === "Enter" || event.key === " ") {
      this.isKeyboardWaiting = true;
      this.pick(target);
    } else return;
    event.preventDefault();
  }

  private moveFocus(from: Target, direction: geometry.Point, targets: readonly Target[]): void {
    const index = geometry.nearest(
      from.at,
      direction,
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

function place({ x, y, scale = 1 }: geometry.Point & { scale?: number }): string {
  return `translate(${x} ${y}) scale(${scale})`;
}

function arrivals({ arrivals }: Scene): SVGTemplateResult[] {
  return arrivals.map(
    ({ row, column }) =>
      svg`<rect class="arrival" x=${column * UNIT} y=${row * UNIT} width=${UNIT} height=${UNIT}/>`,
  );
}

function gridLines(columns: number, rows: number): SVGTemplateResult {
  const down = Array.from({ length: columns - 1 }, (_, i) => `M${(i + 1) * UNIT} 0v${rows * UNIT}`);
  const across = Array.from({ length: rows - 1 }, (_, i) => `M0 ${(i + 1) * UNIT}h${columns * UNIT}`);
  return svg`<path class="grid" d=${[...down, ...across].join("")}/>
    <rect class="rim" width=${columns * UNIT} height=${rows * UNIT} rx="6"/>`;
}

function labels(columns: number, rows: number): SVGTemplateResult[] {
  const below = Array.from({ length: columns }, (_, column) => {
    const { x } = geometry.centre({ row: 0, column });
    return svg`<text class="label" x=${x} y=${rows * UNIT + 32}>${columnName(column)}</text>`;
  });
  const left = Array.from({ length: rows }, (_, row) => {
    const { y } = geometry.centre({ row, column: 0 });
    return svg`<text class="label" x="-24" y=${y + 9}>${rowName(row, rows)}</text>`;
  });
  return [...below, ...left];
}

function pawns({ pawns }: Scene): SVGTemplateResult[] {
  return pawns.map((pawn) => drawPiece(pawn, place(geometry.pawnSpot(pawn, pawns))));
}

function drawWall({ orientation, cell, seat, moment, isFresh }: SceneWall): SVGTemplateResult {
  const owner = seat === null ? "neutral" : `seat-${seat}`;
  const { from, to } = geometry.wallLine(orientation, cell, WALL_INSET);
  return svg`<line class="wall ${owner} ${moment} ${isFresh ? "fresh" : ""}"
    x1=${from.x} y1=${from.y} x2=${to.x} y2=${to.y}/>`;
}

function targetPoint(action: Action, all: readonly Action[]): geometry.Point {
  if (action.kind === "step") return geometry.stepSpot(action, all);
  const { from, to } = geometry.wallLine(action.orientation, action.cell, 0);
  return { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
}

function wallTarget(action: Extract<Action, { kind: "wall" }>): SVGTemplateResult {
  const corners = geometry.wallDiamond(action.orientation, action.cell);
  const { from, to } = geometry.wallLine(action.orientation, action.cell, WALL_INSET);
  return svg`<polygon class="area" points=${corners.map(({ x, y }) => `${x},${y}`).join(" ")}/>
    <line class="offer" x1=${from.x} y1=${from.y} x2=${to.x} y2=${to.y}/>`;
}

/** A step that shares its cell with another one has half of the room. */
function stepTarget({ at, action }: Target): SVGTemplateResult {
  const isShared = at.x !== geometry.centre(action.cell).x;
  return svg`<ellipse class="area" cx=${at.x} cy=${at.y} rx=${isShared ? UNIT / 5 : STEP_RADIUS} ry=${STEP_RADIUS}/>
    <circle class="offer" cx=${at.x} cy=${at.y} r="11"/>`;
}
