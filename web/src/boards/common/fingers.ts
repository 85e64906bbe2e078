// Touch input on a board. The browser pans and zooms the page as usual; a finger that does not move taps, and a tap on
// something too small to hit reliably only aims at it. Called by the board elements, which listen with `events`.
import type { Point } from "./arrows";

/** A finger that moves farther than this, in CSS pixels, swipes. */
const TAP_SLOP = 10;

/** The least width, in CSS pixels, of a target that a single tap picks. */
const SURE_WIDTH = 40;

/** `press`: by mouse, pen, keyboard or an assistive technology. `swipe`: the click of a finger that has moved. */
export type Click = "press" | "tap" | "swipe";

export class Fingers {
  /** Where each finger first touched the board. */
  private readonly down = new Map<number, Point>();
  private last: Click = "press";

  /** The kind of a click, by what the pointer did before it. */
  clickOf({ detail }: MouseEvent): Click {
    return detail === 0 ? "press" : this.last;
  }

  readonly onDown = ({ pointerType, pointerId, isPrimary, clientX, clientY }: PointerEvent): void => {
    if (isPrimary) this.down.clear();
    this.last = pointerType !== "touch" ? "press" : this.down.size === 0 ? "tap" : "swipe";
    if (pointerType === "touch") this.down.set(pointerId, { x: clientX, y: clientY });
  };

  readonly onMove = ({ pointerId, clientX, clientY }: PointerEvent): void => {
    const from = this.down.get(pointerId);
    if (from !== undefined && Math.hypot(clientX - from.x, clientY - from.y) > TAP_SLOP) this.last = "swipe";
  };

  readonly onUp = (event: PointerEvent): void => {
    this.onMove(event);
    this.down.delete(event.pointerId);
  };

  /** The browser has started to pan or zoom. */
  readonly onCancel = ({ pointerId }: PointerEvent): void => {
    if (this.down.delete(pointerId)) this.last = "swipe";
  };
}

/** Whether fingers are what mostly points here. */
export function isForFingers(): boolean {
  return matchMedia("(pointer: coarse)").matches;
}

/** Whether a finger can reliably hit something `units` wide in the drawing, at the current zoom. */
export function isSure(drawing: SVGGraphicsElement | null, units: number): boolean {
  const scale = drawing?.getScreenCTM()?.a ?? 1;
  return units * scale * (window.visualViewport?.scale ?? 1) >= SURE_WIDTH;
}
