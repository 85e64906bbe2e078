// Styles of <carcassonne-board>, and the colours of its seats.
import { css, unsafeCSS } from "lit";

/** Height of the row above the table in CSS pixels, with the gap below it. */
export const SCOREBOARD = 42;

const SEATS = [
  ["#cf3b2c", "#ffffff", "light-dark(#f6cdc7, #5f2a24)"],
  ["#2f6fc4", "#ffffff", "light-dark(#c8daf3, #27405f)"],
  ["#ecbb12", "#2b2415", "light-dark(#f8ebb9, #554717)"],
  ["light-dark(#2d2f36, #5a5f6a)", "#ffffff", "light-dark(#d9dbdf, #30343a)"],
  ["#a147b0", "#ffffff", "light-dark(#eccff0, #4c2752)"],
] as const;

/** Colours of the seats, for the page as well. */
export const SEAT_COLOURS: Readonly<Record<string, string>> = Object.fromEntries(
  SEATS.flatMap(([colour, ink, soft], seat) => [
    [`--seat-${seat}`, colour],
    [`--seat-${seat}-ink`, ink],
    [`--seat-${seat}-soft`, soft],
  ]),
);

const seatRules = SEATS.map(
  ([colour, ink], seat) => `.seat-${seat} { --seat: var(--seat-${seat}, ${colour}); --seat-ink: ${ink}; }`,
).join("\n");

export const carcassonneStyles = css`
  ${unsafeCSS(seatRules)}
  :host {
    display: block;
  }
  .board {
    container-type: inline-size;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 6px;
  }

  /* ---- the table ---- */
  .table {
    position: relative;
    box-sizing: border-box;
    width: 100%;
    aspect-ratio: 1;
    max-height: calc(var(--board-room) - ${unsafeCSS(SCOREBOARD)}px);
    border: 1px solid var(--board-line);
    border-radius: var(--radius);
    background: light-dark(#e9e4d6, #1f2226);
    overflow: hidden;
  }
  @media (max-width: 820px) and (orientation: portrait) {
    .table {
      aspect-ratio: 9 / 10;
    }
  }
  /* ---- tiles ---- */
  .field {
    fill: light-dark(#a9cc78, #86a95c);
  }
  .edge {
    fill: none;
    stroke: #2f3b1c;
    stroke-opacity: 0.4;
    stroke-width: 1.5;
  }
  .road,
  .road-edge {
    fill: none;
    stroke: #f4ecd8;
    stroke-width: 8;
  }
  .road-edge {
    stroke: #7b6a4c;
    stroke-width: 12;
  }
  .city {
    fill: light-dark(#d9a566, #bd8a4e);
  }
  .rampart {
    fill: none;
    stroke: #6d4522;
    stroke-width: 5;
    stroke-linejoin: round;
  }
  .ridge {
    fill: none;
    stroke: #5a2418;
    stroke-width: 1;
  }
  .wall {
    fill: #f6e6c8;
    stroke: #5a4630;
    stroke-width: 1;
  }
  .roof {
    fill: #b5573f;
    stroke: #5a2418;
    stroke-width: 1;
    stroke-linejoin: round;
  }
  .door {
    fill: #5a4630;
  }
  .yard {
    fill: #e3d3a4;
    stroke: #7b6a4c;
    stroke-width: 2;
  }
  .village {
    fill: #d9c79a;
    stroke: #7b6a4c;
    stroke-width: 2;
  }
  .shield {
    fill: #2453a6;
    stroke: #ffffff;
    stroke-width: 2;
  }
  .cross {
    fill: none;
    stroke: #ffffff;
    stroke-width: 3;
  }
  .meeple {
    fill: var(--seat);
    stroke: #ffffff;
    stroke-width: 2;
    stroke-linejoin: round;
    paint-order: stroke;
  }
  /* At a small scale houses cannot be recognised. */
  .far {
    --house: none;
  }
  .house {
    display: var(--house, inline);
  }
  .digit {
    fill: var(--seat-ink, #ffffff);
    font-size: 13px;
    font-weight: 700;
    text-anchor: middle;
  }
  .standing .digit,
  .standing .meeple {
    scale: var(--meeple);
  }
  .last,
  .last-rim,
  .scored,
  .hint,
  .area {
    vector-effect: non-scaling-stroke;
  }
  .tiles,
  .marks,
  .standing {
    pointer-events: none;
  }

  /* ---- the last move ---- */
  .scored {
    fill: #ffe27a;
    fill-opacity: 0.32;
    stroke: #f5b800;
    stroke-width: 2;
    stroke-dasharray: 6 4;
  }
  .last {
    fill: none;
    stroke: var(--seat);
    stroke-width: 3.5;
  }
  .last-rim {
    fill: none;
    stroke: #ffffff;
    stroke-width: 6;
  }
  .awards {
    scale: var(--pixel);
  }
  .award rect {
    fill: var(--seat);
    stroke: #ffffff;
    stroke-width: 2;
  }
  .award text {
    fill: var(--seat-ink, #ffffff);
    font:
      700 15px system-ui,
      sans-serif;
    text-anchor: middle;
  }

  /* ---- picking ---- */
  .target {
    cursor: pointer;
    outline: none;
  }
  .target .area {
    fill: var(--accent);
    fill-opacity: 0.1;
    stroke: var(--accent);
    stroke-width: 2;
    stroke-dasharray: 6 5;
  }
  .target.fits .area {
    fill-opacity: 0.3;
  }
  .target .ghost {
    opacity: 0;
  }
  @media (hover: hover) {
    .target:hover .ghost {
      opacity: 0.75;
    }
  }
  .target:focus-visible .ghost {
    opacity: 0.75;
  }
  .target.aimed .ghost {
    opacity: 1;
  }
  .target.aimed .area,
  .target:focus-visible .area {
    fill: none;
    stroke: var(--focus);
    stroke-width: 4;
    stroke-dasharray: none;
  }
  .target .turns {
    opacity: 0;
    fill: var(--card);
    stroke: var(--ink);
    stroke-width: 2;
  }
  .target.aimed .turns {
    opacity: 1;
  }
  .turns path {
    fill: none;
    stroke-width: 3.5;
    stroke-linecap: round;
  }
  .spot {
    cursor: pointer;
    outline: none;
  }
  .spot circle {
    fill: var(--card);
    fill-opacity: 0.85;
    stroke: var(--seat);
    stroke-width: 2.5;
  }
  .spot .meeple {
    fill-opacity: 0.55;
    stroke-width: 1;
  }
  .spot.aimed .meeple,
  .spot:focus-visible .meeple {
    fill-opacity: 1;
  }
  .spot.aimed circle,
  .spot:focus-visible circle {
    fill: color-mix(in srgb, var(--seat) 30%, #ffffff);
    stroke-width: 5;
  }
  @media (hover: hover) {
    .spot:hover .meeple {
      fill-opacity: 1;
    }
  }
  .hint {
    fill: none;
    stroke: var(--hint);
    stroke-width: 4;
    pointer-events: none;
  }
  .pointed-out {
    opacity: 0.7;
    pointer-events: none;
  }

  /* ---- over the table ---- */
  .hand:focus-visible {
    outline: 3px solid var(--focus);
    outline-offset: 1px;
  }
  .zoom {
    position: absolute;
    right: 8px;
    bottom: 8px;
    display: flex;
    gap: 6px;
  }
  .hand {
    position: absolute;
    left: 8px;
    bottom: 8px;
    display: flex;
    align-items: center;
    gap: 8px;
    margin: 0;
    padding: 4px;
    border: 1px solid var(--line);
    border-radius: 10px;
    background: var(--card);
    color: var(--ink);
    font: inherit;
    font-size: 0.85rem;
  }
  button.hand {
    cursor: pointer;
  }
  .hand .face {
    width: 58px;
    height: 58px;
    border-radius: 4px;
  }
  .hand .arrow {
    width: 22px;
    height: 22px;
    fill: none;
    stroke: currentcolor;
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .left {
    position: absolute;
    right: 8px;
    bottom: 52px;
    box-sizing: border-box;
    max-width: calc(100% - 118px);
    margin: 0;
    padding: 2px 10px;
    border-radius: 99px;
    background: var(--card);
    box-shadow: 0 0 0 1px var(--line);
    color: var(--ink-soft);
    font-size: 0.85rem;
    line-height: 1.35;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    pointer-events: none;
  }
  .left b {
    color: var(--ink);
  }
`;
