// Panning and zooming: the mouse drags, the wheel zooms, two fingers pinch. One finger pans, scrolls the page, or swipes.
// What starts on a piece that can be dragged carries it instead, and the right mouse button draws notes.
// The board element listens on its picture with these handlers.
import type { Point } from "./arrows";
import type { Carrier } from "./carrier";
import type { Notes } from "./notes";
import { Fingers, type Click } from "./fingers";

/** A mouse that moves farther, in CSS pixels, drags. */
const DRAG_SLOP = 5;

/** Pixels for a factor of e. Browsers report a pinch on a trackpad as a wheel with Ctrl, in smaller steps. */
const WHEEL = 500;
const TRACKPAD = 120;

/** A finger that moves less than this, in CSS pixels, does not swipe. */
const SWIPE = 24;

/** What one finger does. If it scrolls the page, the browser handles it. */
export type OneFinger = "pans" | "scrolls" | "swipes";

export interface GestureTarget {
  readonly oneFinger: OneFinger;
  pan(by: Point): void;
  /** `at`: a point of the picture, measured from its middle. */
  zoom(factor: number, at: Point): void;
}

/** What gestures that do not move the picture are for. */
export interface GestureUsers {
  readonly carrier: Carrier;
  readonly notes: Notes;
  /** Gets the movement of a finger, in CSS pixels. */
  readonly onSwipe?: (way: Point) => void;
}

export class Gestures {
  private readonly fingers = new Fingers();
  private readonly pointers = new Map<number, Point>();
  private start: Point | null = null;
  private isDragging = false;
  /** Whether a second finger has touched the picture since the first one did. */
  private isPinching = false;
  /** On pages of other sites the wheel scrolls, and zooms only with Ctrl. */
  isEmbedded = false;

  private readonly carrier: Carrier;
  private readonly notes: Notes;
  private readonly onSwipe: (way: Point) => void;

  constructor(
    private readonly target: GestureTarget,
    { carrier, notes, onSwipe }: GestureUsers,
  ) {
    this.carrier = carrier;
    this.notes = notes;
    this.onSwipe = onSwipe ?? (() => undefined);
  }

  /** Whether fingers or the mouse move the picture now. */
  get isMoving(): boolean {
    return this.isDragging;
  }

  /** What the last pointer has done, for the click that follows. */
  clickOf(event: MouseEvent): Click {
    return event.detail !== 0 && this.isDragging ? "swipe" : this.fingers.clickOf(event);
  }

  readonly onDown = (event: PointerEvent): void => {
    this.fingers.onDown(event);
    if (event.isPrimary) this.pointers.clear();
    if (event.pointerType === "mouse" && event.button === 2) this.notes.begin(event);
    if (event.pointerType === "mouse" && event.button !== 0) return;
    this.notes.clear();
    this.pointers.set(event.pointerId, pointOf(event));
    this.isPinching = this.pointers.size > 1;
    if (this.isPinching) this.carrier.cancel();
    else {
      [this.start, this.isDragging] = [pointOf(event), false];
      if (event.pointerType !== "touch" || this.target.oneFinger !== "swipes") this.carrier.press(event);
    }
  };

  readonly onMove = (event: PointerEvent): void => {
    this.fingers.onMove(event);
    this.notes.move(event);
    const before = this.pointers.get(event.pointerId);
    if (before === undefined) return;
    if (this.carrier.isLoaded) {
      this.carry(event);
      return;
    }
    const now = pointOf(event);
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other !== undefined) this.pinch(event, before, other);
    else if (!this.drag(event, before, now)) return;
    this.pointers.set(event.pointerId, now);
  };

  private carry(event: PointerEvent): void {
    this.carrier.move(event);
    this.isDragging ||= this.carrier.isCarrying;
  }

  private pinch(event: PointerEvent, before: Point, other: Point): void {
    this.isDragging = true;
    const now = pointOf(event);
    const factor = distance(now, other) / Math.max(1, distance(before, other));
    this.target.pan({ x: (now.x - before.x) / 2, y: (now.y - before.y) / 2 });
    const at = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    this.target.zoom(factor, fromMiddle(at, event));
  }

  /** False as long as the pointer has hardly moved, or if it does not pan. */
  private drag(event: PointerEvent, before: Point, now: Point): boolean {
    if (event.pointerType === "touch" && this.target.oneFinger !== "pans") return false;
    this.isDragging ||= this.start !== null && distance(now, this.start) > DRAG_SLOP;
    if (!this.isDragging) return false;
    this.target.pan({ x: now.x - before.x, y: now.y - before.y });
    return true;
  }

  readonly onUp = (event: PointerEvent): void => {
    this.fingers.onUp(event);
    this.notes.end();
    const wasDown = this.pointers.delete(event.pointerId);
    const wasCarrying = this.carrier.isCarrying;
    if (wasDown) this.carrier.release(event);
    if (!wasDown || wasCarrying || event.pointerType !== "touch") return;
    if (this.isPinching || this.start === null || this.target.oneFinger !== "swipes") return;
    const { x, y } = pointOf(event);
    if (distance(this.start, { x, y }) >= SWIPE) this.onSwipe({ x: x - this.start.x, y: y - this.start.y });
  };

  /** The right mouse button is for notes; a finger that stays may open the browser's menu. */
  readonly onMenu = (event: MouseEvent): void => {
    if (!(event instanceof PointerEvent) || event.pointerType !== "touch") event.preventDefault();
  };

  /** The browser has begun to scroll. */
  readonly onCancel = (event: PointerEvent): void => {
    this.fingers.onCancel(event);
    this.carrier.cancel();
    this.pointers.delete(event.pointerId);
  };

  /**
   * Two fingers, and one that pans, are for the board, whatever `touch-action` leaves to the browser: it would not take
   * the next tap for a click while its own scrolling runs out.
   */
  readonly onTouch = (event: TouchEvent): void => {
    const isOneOurs = this.isDragging || this.carrier.isLoaded || this.target.oneFinger === "swipes";
    const isOurs = event.touches.length > 1 || (event.type === "touchmove" && isOneOurs);
    if (isOurs && event.cancelable) event.preventDefault();
  };

  readonly onWheel = (event: WheelEvent): void => {
    if (this.isEmbedded && !event.ctrlKey) return;
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : 1);
    const factor = Math.exp(-Math.max(-300, Math.min(300, pixels)) / (event.ctrlKey ? TRACKPAD : WHEEL));
    this.target.zoom(factor, fromMiddle(pointOf(event), event));
  };
}

function pointOf({ clientX, clientY }: MouseEvent): Point {
  return { x: clientX, y: clientY };
}

/** A point on the screen, measured from the middle of the picture that listens. */
function fromMiddle({ x, y }: Point, { currentTarget }: Event): Point {
  const { left, top, width, height } = (currentTarget as Element).getBoundingClientRect();
  return { x: x - left - width / 2, y: y - top - height / 2 };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
