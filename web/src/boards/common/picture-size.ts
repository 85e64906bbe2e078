// Tells a board's viewport how large its picture is on the screen, at first and whenever that changes.
import type { LitElement, ReactiveController } from "lit";
import type { Viewport } from "./viewport";

export class PictureSize implements ReactiveController {
  private picture: Element | null = null;
  private readonly resizing = new ResizeObserver(() => {
    this.measure();
  });

  constructor(
    private readonly board: LitElement,
    private readonly viewport: Viewport,
  ) {}

  hostConnected(): void {
    if (this.picture !== null) this.resizing.observe(this.picture);
  }

  hostDisconnected(): void {
    this.resizing.disconnect();
  }

  /** Measures a new picture only: to measure after every update would lay the page out every time. */
  hostUpdated(): void {
    this.viewport.settle();
    const picture = this.board.renderRoot.querySelector(".table > svg");
    if (picture === this.picture) return;
    if (this.picture !== null) this.resizing.unobserve(this.picture);
    this.picture = picture;
    if (picture !== null) this.resizing.observe(picture);
    this.measure();
  }

  private measure(): void {
    if (this.picture === null) return;
    const box = sizeOf(this.picture);
    if (box.width > 0 && box.height > 0) this.viewport.resize(box);
  }
}

/** The size of an element before the page scales it down, as in lists; 0 if it is not shown. */
function sizeOf(element: Element): { readonly width: number; readonly height: number } {
  const { width, height } = getComputedStyle(element);
  return { width: pixels(width), height: pixels(height) };
}

function pixels(length: string): number {
  return length.endsWith("px") ? Number.parseFloat(length) : 0;
}
