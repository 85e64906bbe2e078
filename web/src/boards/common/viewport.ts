// What part of a board is shown: all of it, what its board usually shows, or what the player has zoomed and panned to.
// Boards extend it with what they usually show.
import type { Point } from "./arrows";
import * as cameras from "./camera";
import type { Area, Camera, Picture } from "./camera";
import type { GestureTarget, OneFinger } from "./gestures";

/** `usual`: as the board has it; a camera: what the player has zoomed or panned to. */
type Choice = "usual" | "everything" | Camera;

export abstract class Viewport implements GestureTarget {
  protected choice: Choice = "usual";
  protected picture: Picture = { width: 600, height: 560 };
  protected jumps = false;

  constructor(private readonly onChange: () => void) {}

  /** Shows all of the board, as large as possible. */
  protected abstract everything(): Camera;
  /** Shows what is useful now. */
  protected abstract usual(): Camera;
  /** What the picture must not leave, and how much of it has to remain in the picture. */
  protected abstract get bounds(): { readonly area: Area; readonly part: number };
  /** The scales between which players can zoom. */
  protected abstract readonly limits: { readonly least: number; readonly most: number };
  abstract get oneFinger(): OneFinger;

  get camera(): Camera {
    if (this.choice === "usual") return this.usual();
    return this.choice === "everything" ? this.everything() : this.choice;
  }

  get size(): Picture {
    return this.picture;
  }

  /** Whether everything is shown, as large as possible. */
  get showsEverything(): boolean {
    return this.choice === "everything" || (this.choice === "usual" && this.isUsuallyEverything);
  }

  /** Whether there is nothing else to show unless the player zooms. */
  get isUsuallyEverything(): boolean {
    return this.usual().scale === this.everything().scale;
  }

  /** Whether the picture glides to what it shows next: not when it has got another size, or an earlier position. */
  get glides(): boolean {
    return !this.jumps;
  }

  /** The picture shows what it should. */
  settle(): void {
    this.jumps = false;
  }

  resize(picture: Picture): void {
    const { width, height } = this.picture;
    if (picture.width === width && picture.height === height) return;
    this.picture = picture;
    this.jumps = true;
    this.onChange();
  }

  pan(by: Point): void {
    this.choose(cameras.panned(this.camera, by));
  }

  /** `at`: a point of the picture, measured from its middle. */
  zoom(factor: number, at?: Point): void {
    this.choose(cameras.zoomed(this.camera, factor, this.limits, at));
  }

  /** Shows everything, or what is usual if everything is shown. */
  readonly toggle = (): void => {
    this.choice = this.showsEverything ? "usual" : "everything";
    this.onChange();
  };

  protected choose(camera: Camera): void {
    const { area, part } = this.bounds;
    this.choice = cameras.within(camera, area, this.picture, part);
    this.onChange();
  }
}
