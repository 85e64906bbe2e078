// The names of a board's columns and rows inside its edges, or inside those of the picture where that shows less. They
// follow the setting "Coordinates". Called by the boards of cells in columns and rows.
import { css, svg, type SVGTemplateResult } from "lit";
import type { Point } from "./arrows";
import type { Camera, Picture } from "./camera";

/** The size of names in cells, and between which sizes in CSS pixels they stay. */
const SIZE = 0.19;
const PIXELS = { least: 10, most: 14 };
/** The distance of a name from the edge of its cell, as a part of the cell. */
const GAP = 0.09;
/** Cells narrower than this, in CSS pixels, are named by fives. */
const NARROW = 22;

export interface Grid {
  /** The names from left to right, and from top to bottom. */
  readonly columns: readonly string[];
  readonly rows: readonly string[];
  /** The upper left corner, and the width of a cell. */
  readonly corner: Point;
  readonly cell: number;
  /** Whether the names are in the middle of columns and rows, and those of columns at the top. */
  readonly isCentred?: boolean;
}

export function drawLabels(grid: Grid, camera: Camera, { width, height }: Picture): SVGTemplateResult {
  const { columns, rows, corner, cell, isCentred = false } = grid;
  const { middle, scale } = camera;
  const size = Math.min(PIXELS.most, Math.max(PIXELS.least, SIZE * cell * scale)) / scale;
  const gap = GAP * cell;
  const top = Math.max(corner.y, middle.y - height / 2 / scale) + gap / 2 + size * (isCentred ? 0.6 : 0.85);
  const bottom = Math.min(corner.y + rows.length * cell, middle.y + height / 2 / scale) - gap;
  const left = Math.max(corner.x, middle.x - width / 2 / scale) + gap;
  const step = cell * scale < NARROW ? 5 : 1;
  const named = (names: readonly string[]): [string, number][] =>
    names.flatMap((name, place) => (numberOf(name, place) % step === 0 ? [[name, place]] : []));
  const [across, down] = isCentred ? [0.5 * cell, 0.5 * cell] : [cell - gap, gap / 2 + size * 0.85];
  return svg`<g class="labels ${isCentred ? "centred" : ""}" font-size=${size} aria-hidden="true">
    ${named(columns).map(
      ([name, place]) =>
        svg`<text class="label column" x=${corner.x + place * cell + across} y=${isCentred ? top : bottom}>${name}</text>`,
    )}
    ${named(rows).map(
      ([name, place]) =>
        svg`<text class="label" x=${left} y=${corner.y + place * cell + down}>${name}</text>`,
    )}
  </g>`;
}

/** The number that a name is, or its place. */
function numberOf(name: string, place: number): number {
  const number = Number(name);
  return Number.isNaN(number) ? place : number;
}

export const labelStyles = css`
  .labels {
    display: var(--coordinates, inline);
    pointer-events: none;
  }
  .label {
    fill: var(--ink-soft);
    font-family: system-ui, sans-serif;
    font-weight: 600;
  }
  .label.column {
    text-anchor: end;
  }
  .centred .label {
    text-anchor: start;
    dominant-baseline: central;
  }
  .centred .label.column {
    text-anchor: middle;
  }
`;
