// The focus among everything that can be picked, in the SVG and outside it: elements with `data-reach`. It moves by the
// arrow keys, and when what has it goes, the nearest element gets it. Called by the board element.
import type { LitElement, ReactiveController } from "lit";
import { closest, nearest, type Point } from "../common/arrows";

/** Selectors of what can have the focus, and of what has keyboard focus. */
const REACHABLE = "[data-reach], .pass";
const REACHED = "[data-reach]:focus-visible, .pass:focus-visible";

export class FocusMemory implements ReactiveController {
  /** The `data-reach` of what had the focus last. */
  reached = "";
  /** Its place on the screen. */
  private at: Point | null = null;
  /** The focused element is gone or will be: the nearest one gets the focus as soon as there is one. */
  private isLost = false;
  /** The legal moves before the one that was just picked. */
  private outdated: readonly string[] | null = null;

  constructor(private readonly board: LitElement & { readonly legal: readonly string[] }) {}

  hostUpdate(): void {
    this.isLost ||= this.board.hasUpdated && this.board.renderRoot.querySelector(REACHED) !== null;
  }

  hostUpdated(): void {
    const { legal, renderRoot } = this.board;
    const isElsewhere = document.activeElement !== null && document.activeElement !== document.body;
    const canGo = legal.length > 0 && legal !== this.outdated;
    if (this.isLost && canGo && !isElsewhere) this.focusNearest(renderRoot, REACHABLE);
    if (canGo || isElsewhere) this.isLost = false;
  }

  /** A move is picked: the focus waits for other legal moves. */
  awaitMoves(): void {
    this.outdated = this.board.legal;
  }

  keep({ currentTarget }: FocusEvent, reach: string): void {
    this.reached = reach;
    this.at = middleOf(currentTarget as Element);
    this.board.requestUpdate();
  }

  /** Focuses the matching element that is nearest to the last focus. */
  focusNearest(root: ParentNode, selector: string): void {
    focusNear(root, selector, this.at);
  }
}

/** Focuses the next piece or place in a direction on the screen, on the board or in a reserve. */
export function moveFocus(root: ParentNode, from: Element, direction: Point): void {
  const others = [...root.querySelectorAll<HTMLElement | SVGElement>("[data-reach]")];
  const index = nearest(middleOf(from), direction, others.map(middleOf));
  if (index !== null) others[index]?.focus();
}

/** Focuses the matching element that is nearest to a place on the screen, or the first one if that is null. */
export function focusNear(root: ParentNode, selector: string, place: Point | null): void {
  const all = [...root.querySelectorAll<HTMLElement | SVGElement>(selector)];
  const index = place === null ? 0 : (closest(place, all.map(middleOf)) ?? 0);
  all[index]?.focus();
}

function middleOf(element: Element): Point {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
