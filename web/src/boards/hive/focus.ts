// Moving the focus among all that can be picked, in SVG and beside it alike: elements with the attribute `data-reach`.
// Called by the board element.
import { closest, nearest, type Point } from "../common/arrows";

/** Gives the focus to the next piece or place that way on the screen, on the board or in hand. */
export function moveFocus(root: ParentNode, from: Element, direction: Point): void {
  const others = [...root.querySelectorAll<HTMLElement | SVGElement>("[data-reach]")];
  const index = nearest(middleOf(from), direction, others.map(middleOf));
  if (index !== null) others[index]?.focus();
}

/** Gives the focus to the element of these that is nearest to a place on the screen; null: to the first. */
export function focusNear(root: ParentNode, selector: string, place: Point | null): void {
  const all = [...root.querySelectorAll<HTMLElement | SVGElement>(selector)];
  const index = place === null ? 0 : (closest(place, all.map(middleOf)) ?? 0);
  all[index]?.focus();
}

/** The element that had the focus is gone. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

export function middleOf(element: Element): Point {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
