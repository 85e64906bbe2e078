// Drag and drop: a piece that is marked with `data-drag` follows the pointer and is dropped on a target. A piece that is
// pressed without being moved is clicked, as ever. Called by the gestures of a board.
import type { Point } from "./arrows";

/** A pointer that moves farther, in CSS pixels, drags. */
const SLOP = 6;

/** What a board does with a piece; `piece` is the value of its `data-drag`. */
export interface Cargo {
  /** What follows the pointer, if that is not what is pressed. */
  pieceAt?(grip: Element): Draggable | null;
  lift(piece: string): void;
  /** `over`: what is under the pointer, which is `at`. */
  drop(piece: string, over: Element | null, at: MouseEvent): void;
}

export type Draggable = HTMLElement | SVGGraphicsElement;

interface Load {
  readonly grip: Draggable;
  readonly element: Draggable;
  readonly from: Point;
  isLifted: boolean;
}

export class Carrier {
  private load: Load | null = null;

  constructor(private readonly cargo: Cargo) {}

  /** Whether a piece is pressed, and may follow the pointer. */
  get isLoaded(): boolean {
    return this.load !== null;
  }

  /** Whether a piece has left its place. */
  get isCarrying(): boolean {
    return this.load?.isLifted === true;
  }

  press({ target, clientX, clientY, pointerId }: PointerEvent): void {
    const grip = (target as Element).closest<Draggable>("[data-drag]");
    if (grip === null) return;
    const element = this.cargo.pieceAt?.(grip) ?? grip;
    grip.setPointerCapture(pointerId);
    this.load = { grip, element, from: { x: clientX, y: clientY }, isLifted: false };
  }

  move({ clientX, clientY }: PointerEvent): void {
    const { load } = this;
    if (load === null) return;
    const way = { x: clientX - load.from.x, y: clientY - load.from.y };
    if (!load.isLifted && Math.hypot(way.x, way.y) <= SLOP) return;
    if (!load.isLifted) this.lift(load);
    const { x, y } = inUnitsOf(load.element, way);
    load.element.style.translate = `${x}px ${y}px`;
  }

  private lift(load: Load): void {
    load.isLifted = true;
    load.element.toggleAttribute("data-carried", true);
    this.cargo.lift(load.grip.dataset.drag ?? "");
  }

  release(event: PointerEvent): void {
    const load = this.cancel();
    if (load?.isLifted !== true) return;
    const root = load.grip.getRootNode() as ShadowRoot;
    const over = root.elementFromPoint(event.clientX, event.clientY);
    this.cargo.drop(load.grip.dataset.drag ?? "", over, event);
  }

  /** Puts the piece back. */
  cancel(): Load | null {
    const { load } = this;
    this.load = null;
    if (load?.isLifted === true) {
      load.element.style.translate = "";
      load.element.toggleAttribute("data-carried", false);
    }
    return load;
  }
}

/** A movement on the screen in the units in which the element is moved. */
function inUnitsOf(element: Draggable, { x, y }: Point): Point {
  const around = element.parentElement as Element | null;
  const matrix = around instanceof SVGGraphicsElement ? around.getScreenCTM() : null;
  return matrix === null ? { x, y } : { x: x / matrix.a, y: y / matrix.d };
}
