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
    const box = this.board.renderRoot.querySelector(".table > svg")?.getBoundingClientRect();
    if (box !== undefined && box.width > 0 && box.height > 0) this.viewport.resize(box);
  }
}
