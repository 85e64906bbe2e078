// Moves the focus among everything that can be picked, in the SVG and outside it: elements with `data-reach`.
// Called by the board element.
import { closest, nearest, type Point } from "../common/arrows";

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

/** Whether no element has the focus. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

export function middleOf(element: Element): Point {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
