// What part of a board of equal cells is shown: all of it until the player zooms. A tap on cells that are too small to hit
// comes near to them. Called by the board elements.
import type { Point } from "./arrows";
import * as cameras from "./camera";
import type { Area, Camera } from "./camera";
import type { OneFinger } from "./gestures";
import { Viewport } from "./viewport";

/** Widths of a cell in CSS pixels: the least that a finger hits, and what a tap on smaller ones comes near to. */
const FOR_FINGERS = 40;
const NEAR = 52;

export interface AreaOptions {
  /** The width of a cell, in units of the board. */
  readonly cell: number;
  /** The most that a cell is enlarged without being told to, in CSS pixels. */
  readonly largest: number;
}

export class AreaViewport extends Viewport {
  private area: Area = cameras.areaOf([]);
  private last: Point | null = null;
  protected readonly limits: { readonly least: number; readonly most: number };

  constructor(
    onChange: () => void,
    private readonly options: AreaOptions,
  ) {
    super(onChange);
    this.limits = { least: 8 / options.cell, most: 200 / options.cell };
  }

  protected get bounds(): { area: Area; part: number } {
    const { cell } = this.options;
    return { area: cameras.grown(this.area, -cell / 2), part: cell };
  }

  get oneFinger(): OneFinger {
    return this.showsEverything ? "scrolls" : "pans";
  }

  /** Shows another position; `last`: where the last move led. A picture that the player has chosen follows the moves. */
  update(area: Area, last: Point | null = null): void {
    const isNew = last !== null && (this.last?.x !== last.x || this.last.y !== last.y);
    [this.area, this.last] = [area, last];
    if (isNew && typeof this.choice === "object")
      this.choice = cameras.revealing(this.choice, last, this.picture, 2 * this.options.cell);
  }

  /** Whether cells are too small for a finger when everything is shown. */
  get isSmall(): boolean {
    return this.cellWidth(this.everything()) < FOR_FINGERS;
  }

  /** Brings a point into a picture that does not show everything. */
  reveal(point: Point): void {
    if (this.showsEverything) return;
    this.choose(cameras.revealing(this.camera, point, this.picture, this.options.cell));
  }

  /** Comes near to a point where cells are too small for a finger; whether it did. */
  approach(point: Point): boolean {
    if (this.cellWidth(this.camera) >= FOR_FINGERS) return false;
    this.choose(cameras.closeTo(point, this.area, this.picture, NEAR / this.options.cell));
    return true;
  }

  private cellWidth({ scale }: Camera): number {
    return scale * this.options.cell;
  }

  protected everything(): Camera {
    return cameras.framing(this.area, this.picture, this.options.largest / this.options.cell);
  }

  protected usual(): Camera {
    return this.everything();
  }
}
