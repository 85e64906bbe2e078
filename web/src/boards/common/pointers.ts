// Passes the pointers of an element on to the gestures of its board: `<svg ${pointers(gestures)}>`.
import { noChange } from "lit";
import { Directive, directive, type ElementPart, type PartInfo } from "lit/directive.js";
import type { Gestures } from "./gestures";

class Pointers extends Directive {
  private element: HTMLElement | null;

  constructor(part: PartInfo) {
    super(part);
    this.element = (part as ElementPart).element as HTMLElement;
  }

  override render(gestures: Gestures): unknown {
    if (this.element !== null) listen(this.element, gestures);
    this.element = null;
    return noChange;
  }
}

function listen(element: HTMLElement, gestures: Gestures): void {
  element.addEventListener("touchstart", gestures.onTouch);
  element.addEventListener("touchmove", gestures.onTouch);
  element.addEventListener("pointerdown", gestures.onDown);
  element.addEventListener("pointermove", gestures.onMove);
  element.addEventListener("pointerup", gestures.onUp);
  element.addEventListener("pointerleave", gestures.onUp);
  element.addEventListener("pointercancel", gestures.onCancel);
}

export const pointers = directive(Pointers);
