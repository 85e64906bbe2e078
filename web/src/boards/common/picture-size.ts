// Tells a board's viewport how large its picture is on the screen, after every update and whenever the board's size changes.
import type { LitElement, ReactiveController } from "lit";
import type { Viewport } from "./viewport";

export class PictureSize implements ReactiveController {
  private readonly resizing = new ResizeObserver(() => {
    this.measure();
  });

  constructor(
    private readonly board: LitElement,
    private readonly viewport: Viewport,
  ) {}

  hostConnected(): void {
    this.resizing.observe(this.board);
  }

  hostDisconnected(): void {
    this.resizing.disconnect();
  }

  hostUpdated(): void {
    this.viewport.settle();
    this.measure();
  }

  private measure(): void {
    const picture = this.board.renderRoot.querySelector(".table > svg");
    if (picture === null) return;
    const box = sizeOf(picture);
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
