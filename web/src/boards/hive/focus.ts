// Moving the focus among all that can be picked, in SVG and beside it alike: elements with the attribute `data-reach`.
// Called by the board element.
import { nearest, type Point } from "../common/arrows";

/** Gives the focus to the next piece or place that way on the screen, on the board or in hand. */
export function moveFocus(root: ParentNode, from: Element, direction: Point): void {
  const others = [...root.querySelectorAll<HTMLElement | SVGElement>("[data-reach]")];
  const index = nearest(middleOf(from), direction, others.map(middleOf));
  if (index !== null) others[index]?.focus();
}

/** Gives the focus to the first such element, and says whether there is one. */
export function focusOn(root: ParentNode, selector: string): boolean {
  const found = root.querySelector<HTMLElement | SVGElement>(selector);
  found?.focus();
  return found !== null;
}

/** The element that had the focus is gone. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function middleOf(element: Element): Point {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
