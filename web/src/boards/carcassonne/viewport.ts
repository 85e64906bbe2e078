// Decides what part of the table is shown. By default that is everything; where tiles would become too small to pick a cell,
// it is the surroundings of the last tile, and for a meeple the tile just placed. Players can look at everything, zoom and
// pan. Called by the board element, which sets the table before it draws.
import type { Area, Camera } from "../common/camera";
import type { OneFinger } from "../common/gestures";
import { Viewport } from "../common/viewport";
import * as cameras from "./camera";
import { SIZE } from "./layout";
import type { Cell } from "./notation";
import { isSame } from "./scene";

/** The least widths of a tile in CSS pixels at which its cell can be picked. */
const FOR_FINGERS = 44;
const FOR_MICE = 26;

/** What there is to show. */
export interface Table {
  readonly tiles: readonly Cell[];
  /** The tile of the move being made. */
  readonly staged: Cell | null;
  /** The tile of the last move. */
  readonly last: Cell | null;
  /** Cells of which one should be seen. */
  readonly targets: readonly Cell[];
  /** Whether the player can pick a cell. */
  readonly isActive: boolean;
  /** Whether no tile is in hand any more. */
  readonly isOver: boolean;
}

const EMPTY: Table = { tiles: [], staged: null, last: null, targets: [], isActive: false, isOver: false };

export class TableViewport extends Viewport {
  private table = EMPTY;
  protected readonly limits = cameras.LIMITS;

  protected get bounds(): { area: Area; part: number } {
    return { area: cameras.areaOf(this.table.tiles), part: SIZE };
  }

  /** Fingers need not pan if everything is shown, or if somebody who cannot move watches where the game is. */
  get oneFinger(): OneFinger {
    const { isActive, staged } = this.table;
    const isWatching = this.choice === "usual" && !isActive && staged === null;
    return this.showsEverything || isWatching ? "scrolls" : "pans";
  }

  /** Shows another table. What the player has chosen stays, until a tile is placed or taken back to be placed again. */
  update(table: Table): void {
    const { staged, last, tiles } = this.table;
    this.table = table;
    // A move adds a tile. Whoever leafs through the game does not wait for the picture.
    const added = table.tiles.length - tiles.length;
    this.jumps ||= staged === null && table.staged === null && added !== 0 && added !== 1;
    if ((staged === null) !== (table.staged === null)) this.choice = "usual";
    else if (table.last !== null && (last === null || !isSame(last, table.last))) this.reveal(table.last);
  }

  /** Comes near enough to a cell to pick it and its neighbours. */
  approach(cell: Cell): void {
    if (this.camera.scale * SIZE >= leastTile()) return;
    this.choose(cameras.near(cell, this.table.tiles, this.picture, leastTile()));
  }

  /** Brings a cell into the picture, unless it is there or the usual picture follows it. */
  reveal(cell: Cell): void {
    const { camera, picture } = this;
    if (this.showsEverything || cameras.shows(camera, cell, picture)) return;
    const { last } = this.table;
    const isFollowed = this.choice === "usual" && last !== null && isSame(cell, last);
    if (!isFollowed) this.choose(cameras.revealing(camera, cell, picture));
  }

  protected everything(): Camera {
    const { tiles, isOver } = this.table;
    return (isOver ? cameras.fitted : cameras.fittedToPlay)(tiles, this.picture);
  }

  protected usual(): Camera {
    const { tiles, staged, last, targets, isOver } = this.table;
    const everything = this.everything();
    if (staged !== null) return cameras.closeUp(staged, everything);
    if (isOver || last === null || everything.scale * SIZE >= leastTile()) return everything;
    const camera = cameras.near(last, tiles, this.picture, leastTile());
    const isHelpful =
      targets.length === 0 || targets.some((cell) => cameras.shows(camera, cell, this.picture));
    return isHelpful ? camera : everything;
  }
}

function leastTile(): number {
  return matchMedia("(pointer: coarse)").matches ? FOR_FINGERS : FOR_MICE;
}
