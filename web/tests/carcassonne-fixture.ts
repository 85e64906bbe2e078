// Some tiles as the rules list them, and a position of three seats with a tile in hand.
import type { CarcassonneView } from "../src/boards/carcassonne/scene";
import type { TileRow } from "../src/boards/carcassonne/tiles";

export const ROWS: readonly TileRow[] = [
  {
    tile: "A",
    segments: [
      { kind: "monastery" },
      { kind: "road", name: "S", touches: "S" },
      { kind: "field", name: "NEW", touches: "N E W S:E S:W" },
    ],
  },
  { tile: "C", segments: [{ kind: "city", name: "NESW", touches: "NESW", pennant: true }] },
  {
    tile: "D",
    segments: [
      { kind: "city", name: "N", touches: "N" },
      { kind: "road", name: "EW", touches: "EW" },
      { kind: "field", name: "N", touches: "E:N W:N" },
      { kind: "field", name: "S", touches: "S E:S W:S" },
    ],
  },
  {
    tile: "H",
    segments: [
      { kind: "city", name: "N", touches: "N" },
      { kind: "city", name: "S", touches: "S" },
      { kind: "field", name: "EW", touches: "E W" },
    ],
  },
  {
    tile: "L",
    segments: [
      { kind: "city", name: "N", touches: "N" },
      { kind: "road", name: "E", touches: "E" },
      { kind: "road", name: "S", touches: "S" },
      { kind: "road", name: "W", touches: "W" },
      { kind: "field", name: "N", touches: "E:N W:N" },
      { kind: "field", name: "ES", touches: "E:S S:E" },
      { kind: "field", name: "SW", touches: "S:W W:S" },
    ],
  },
  {
    tile: "S",
    segments: [
      { kind: "city", name: "NEW", touches: "NEW", pennant: true },
      { kind: "road", name: "S", touches: "S" },
      { kind: "field", name: "SW", touches: "S:W" },
      { kind: "field", name: "ES", touches: "S:E" },
    ],
  },
];

export const view: CarcassonneView = {
  phase: "place_tile",
  toMove: 0,
  tile: "L",
  tilesRemaining: 1,
  tiles: [
    { x: 0, y: 0, tile: "D", rotation: 0 },
    { x: 0, y: 1, tile: "H", rotation: 0 },
  ],
  meeples: [{ x: 0, y: 1, spot: "field_EW", seat: 1 }],
  scores: [0, 4, 0],
  supply: [7, 6, 7],
  left: [],
  lastMove: {
    x: 0,
    y: 1,
    tile: "H",
    rotation: 0,
    spot: "city_S",
    seat: 1,
    points: [0, 4, 0],
    scored: [
      {
        feature: "city",
        points: 4,
        cells: [
          { x: 0, y: 0 },
          { x: 0, y: 1 },
        ],
      },
    ],
  },
  discarded: ["C"],
  unseen: { A: 1 },
};
