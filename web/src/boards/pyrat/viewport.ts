// Decides what part of the board is shown: everything; where cells would become too small to see, a player's board shows
// the surroundings of the player. Players can look at everything, zoom and pan. Called by the board element.
import * as cameras from "../common/camera";
import type { Area, Camera } from "../common/camera";
import type { Point } from "../common/arrows";
import type { OneFinger } from "../common/gestures";
import { Viewport } from "../common/viewport";
import { SIZE } from "./geometry";

/** Widths of a cell in CSS pixels: the least at which mazes can be read, and what is then shown around a player. */
export const LEGIBLE = 13;
const NEAR = 30;
/** Cells of a small board are not larger. */
const LARGEST = 84;
/** The gap around the board. */
const GAP = 8;
/** What is seen around a player when the picture follows. */
const AROUND = 5 * SIZE;

export interface Maze {
  readonly area: Area;
  /** Where the viewer's player is; null for spectators. */
  readonly own: Point | null;
}

const EMPTY: Maze = { area: cameras.areaOf([]), own: null };

export class MazeViewport extends Viewport {
  private maze = EMPTY;
  protected readonly limits = { least: 5 / SIZE, most: 150 / SIZE };

  protected get bounds(): { area: Area; part: number } {
    const { area } = this.maze;
    return { area: cameras.grown(area, -SIZE / 2), part: SIZE };
  }

  /** A finger of a player swipes. */
  get oneFinger(): OneFinger {
    if (this.maze.own !== null) return "swipes";
    return this.showsEverything ? "scrolls" : "pans";
  }

  /** Shows another position. A picture that the player has chosen follows the player. */
  update(maze: Maze): void {
    const { own } = this.maze;
    this.maze = maze;
    if (maze.own === null || own === null || (own.x === maze.own.x && own.y === maze.own.y)) return;
    if (typeof this.choice === "object")
      this.choice = cameras.revealing(this.choice, maze.own, this.picture, AROUND);
  }

  protected everything(): Camera {
    const area = cameras.grown(this.maze.area, GAP);
    return cameras.framing(area, this.picture, LARGEST / SIZE);
  }

  protected usual(): Camera {
    const everything = this.everything();
    const { own, area } = this.maze;
    if (own === null || everything.scale * SIZE >= LEGIBLE) return everything;
    return cameras.closeTo(own, cameras.grown(area, GAP), this.picture, NEAR / SIZE);
  }
}
