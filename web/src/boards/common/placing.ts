// Placing by the keyboard while a position is set up: one spot of the board has the focus, the arrow keys go to the next one
// in their direction, Enter and the space bar use the tool there. Only that spot is in the document: large boards have
// thousands. A part of board elements.
import { svg, type LitElement, type ReactiveController, type SVGTemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import type { SetUp } from "../../boards";
import { ARROWS, closest, nearest, type Point } from "./arrows";
import type { Viewport } from "./viewport";

/** A place on a board that is being set up. */
export interface Spot {
  readonly point: Point;
  /** Where it is and what is there, for screen readers. */
  readonly name: string;
  /** Whether it only leads to others, and the tool does nothing there. */
  readonly isPassage?: boolean;
}

interface Board<View> extends LitElement {
  readonly view: View | null;
  readonly tool: string | null;
  readonly setUp?: SetUp<View>;
}

/** The radius of the mark, and how near the edge of the picture it may come, in CSS pixels. */
const RADIUS = 15;
const MARGIN = 30;

export class Placing<View> implements ReactiveController {
  /** Where the focus was last. */
  private at: Point | null = null;
  /** Whether the spot that is drawn next gets the focus. */
  private isMoving = false;
  private known: { readonly view: View; readonly tool: string; readonly spots: readonly Spot[] } | null =
    null;

  constructor(
    private readonly board: Board<View>,
    private readonly viewport: Viewport,
    private readonly onPlace: (point: Point) => void,
  ) {
    board.addController(this);
  }

  hostUpdated(): void {
    if (!this.isMoving) return;
    this.isMoving = false;
    this.board.renderRoot.querySelector<SVGElement>(".place-spot")?.focus();
  }

  /** Draws the spot that the Tab key reaches: the one that had the focus last, or that in the middle of the picture. */
  draw(): SVGTemplateResult | null {
    const { middle } = this.viewport.camera;
    const { spots } = this;
    const spot = spots[closest(this.at ?? middle, points(spots)) ?? -1];
    if (spot === undefined) return null;
    const { x, y } = this.inPicture(spot.point);
    return svg`${keyed(
      `${spot.point.x} ${spot.point.y}`,
      svg`<g class="place-spot ${spot.isPassage === true ? "passage" : ""}" transform="translate(${x} ${y})" role="button"
        tabindex="0" aria-label=${spot.name} aria-disabled=${String(spot.isPassage === true)}
        @click=${() => {
          this.use(spot);
        }}
        @keydown=${(event: KeyboardEvent) => {
          this.onKey(event, spot);
        }}><circle r=${RADIUS}></circle></g>`,
    )}`;
  }

  private get spots(): readonly Spot[] {
    const { view, tool, setUp } = this.board;
    if (view === null || tool === null || setUp === undefined) return [];
    if (this.known?.view !== view || this.known.tool !== tool)
      this.known = { view, tool, spots: setUp.spots(view, tool) };
    return this.known.spots;
  }

  private onKey(event: KeyboardEvent, spot: Spot): void {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey) return;
    const direction = ARROWS[key];
    if (direction !== undefined) this.move(spot, direction);
    else if (key === "Enter" || key === " ") this.use(spot);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private move(from: Spot, direction: Point): void {
    const { spots } = this;
    const next = spots[nextIn(from.point, direction, points(spots)) ?? -1];
    if (next === undefined) return;
    this.at = next.point;
    this.isMoving = true;
    this.reveal(next.point);
    this.board.requestUpdate();
  }

  private use({ point, isPassage = false }: Spot): void {
    this.at = point;
    if (!isPassage) this.onPlace(point);
  }

  /** Moves the picture if the spot is beside it. */
  private reveal(point: Point): void {
    const { width, height } = this.viewport.size;
    const { x, y } = this.inPicture(point);
    const by = { x: excess(x, width / 2 - MARGIN), y: excess(y, height / 2 - MARGIN) };
    if (by.x !== 0 || by.y !== 0) this.viewport.pan(by);
  }

  private inPicture({ x, y }: Point): Point {
    const { middle, scale } = this.viewport.camera;
    return { x: (x - middle.x) * scale, y: (y - middle.y) * scale };
  }
}

/**
 * The index of the point that an arrow key leads to: the closest one less than 45 degrees beside its direction, else the
 * nearest in the sense of the boards; null if there is none.
 */
export function nextIn(from: Point, direction: Point, others: readonly Point[]): number | null {
  let best: number | null = null;
  let least = Infinity;
  for (const [index, point] of others.entries()) {
    const [dx, dy] = [point.x - from.x, point.y - from.y];
    const ahead = dx * direction.x + dy * direction.y;
    const aside = Math.abs(dx * direction.y) + Math.abs(dy * direction.x);
    const distance = Math.hypot(dx, dy);
    if (ahead > aside + 1 && distance < least) [best, least] = [index, distance];
  }
  return best ?? nearest(from, direction, others);
}

function points(spots: readonly Spot[]): Point[] {
  return spots.map(({ point }) => point);
}

/** What has to be added to a number so that it is not farther from 0 than `most`. */
function excess(number: number, most: number): number {
  return Math.max(-most, Math.min(most, number)) - number;
}
