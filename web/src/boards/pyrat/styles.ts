// Styles of <pyrat-board>, and the colours of its seats.
import { css, unsafeCSS } from "lit";

/** Height in CSS pixels of the rows above and below the maze, with their gaps. */
export const ROWS = 92;

/** Colours of the seats, for the page as well. */
export const SEAT_COLOURS: Readonly<Record<string, string>> = {
  "--seat-0": "light-dark(#3f6fc0, #7ba6ee)",
  "--seat-0-ink": "light-dark(#ffffff, #10213c)",
  "--seat-0-soft": "light-dark(#ccdcf6, #27405f)",
  "--seat-1": "light-dark(#2f8746, #6cc183)",
  "--seat-1-ink": "light-dark(#ffffff, #0d2614)",
  "--seat-1-soft": "light-dark(#cbe9d2, #22492d)",
};

export const pyratStyles = css`
  .seat-0 {
    --seat: var(--seat-0);
    --seat-soft: var(--seat-0-soft);
  }
  .seat-1 {
    --seat: var(--seat-1);
    --seat-soft: var(--seat-1-soft);
  }
  :host {
    display: block;
    --mud: light-dark(#8a6238, #9b7347);
    --stone: light-dark(#5d564c, #b9b2a5);
  }
  .board {
    container-type: inline-size;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 6px;
  }

  /* ---- the maze ---- */
  .table {
    position: relative;
    box-sizing: border-box;
    width: 100%;
    aspect-ratio: var(--ratio);
    max-height: calc(var(--board-room) - ${unsafeCSS(ROWS)}px);
    border-radius: var(--radius);
    background: var(--board);
    overflow: hidden;
  }
  .table > svg.steered {
    cursor: default;
  }
  .floor {
    fill: light-dark(#f3eee1, #2a2e34);
  }
  .grid {
    fill: none;
    stroke: light-dark(#e2dac8, #363b42);
    stroke-width: 2;
  }
  .walls,
  .edge {
    fill: none;
    stroke: var(--stone);
    stroke-width: 13;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .start {
    fill: var(--seat-soft);
    fill-opacity: 0.75;
  }
  .mud path {
    fill: var(--mud);
    fill-opacity: 0.85;
  }
  .cost,
  .hold text {
    fill: #ffffff;
    font:
      700 31px system-ui,
      sans-serif;
    text-anchor: middle;
  }
  /* At a small scale numbers cannot be read. */
  .far .cost {
    display: none;
  }
  .rind {
    fill: light-dark(#f7c531, #f2c23c);
    stroke: light-dark(#a86f00, #6d4a00);
    stroke-width: 3;
    stroke-linejoin: round;
  }
  .slice {
    fill: light-dark(#ffdc6b, #ffd867);
    stroke: light-dark(#a86f00, #6d4a00);
    stroke-width: 3;
    stroke-linejoin: round;
  }
  .hole {
    fill: light-dark(#d79a12, #b9820f);
  }
  .things,
  .steps {
    pointer-events: none;
  }
  .mud {
    pointer-events: auto;
  }

  /* ---- players and their steps ---- */
  .figure,
  .ring circle {
    scale: var(--figure);
  }
  .player {
    transition: transform calc(0.18s * var(--motion, 1)) ease-out;
    pointer-events: none;
  }
  .skin {
    fill: var(--seat);
    stroke: #ffffff;
    stroke-width: 4;
    stroke-linejoin: round;
    paint-order: stroke;
  }
  .head {
    stroke-width: 3;
  }
  .coil {
    fill: none;
    stroke: #000000;
    stroke-opacity: 0.28;
    stroke-width: 3;
  }
  .neck,
  .neck-rim {
    fill: none;
    stroke: var(--seat);
    stroke-width: 13;
    stroke-linecap: round;
  }
  .neck-rim {
    stroke: #ffffff;
    stroke-width: 18;
  }
  .tongue {
    fill: none;
    stroke: #d3263a;
    stroke-width: 3;
  }
  .inner {
    fill: #f2b6bd;
  }
  .white {
    fill: #ffffff;
  }
  .dark {
    fill: #1c2026;
  }
  .whiskers {
    fill: none;
    stroke: #ffffff;
    stroke-width: 2;
    stroke-opacity: 0.9;
  }
  .hold circle {
    fill: var(--mud);
    stroke: #ffffff;
    stroke-width: 4;
  }
  .hold text {
    font-size: 26px;
  }
  .arrow path {
    fill: none;
    stroke: var(--seat);
    stroke-width: 13;
    stroke-linecap: round;
  }
  .arrow .tip {
    fill: var(--seat);
    stroke-width: 4;
    stroke-linejoin: round;
  }
  .ring {
    fill: none;
    stroke: var(--seat);
    stroke-width: 6;
  }
  .last.arrow {
    opacity: 0.6;
  }
  .last.ring {
    opacity: 0.75;
    stroke-dasharray: 14 12;
  }
  .sealed.ring {
    stroke-width: 9;
    stroke-dasharray: 1 18;
    stroke-linecap: round;
  }
  .hinted.arrow {
    filter: drop-shadow(0 0 5px var(--hint)) drop-shadow(0 0 2px var(--hint));
  }
  .hinted.ring {
    stroke-width: 9;
    filter: drop-shadow(0 0 5px var(--hint));
  }

  /* ---- picking ---- */
  .target {
    cursor: pointer;
  }
  .target .area {
    fill: var(--seat);
    fill-opacity: 0.14;
    stroke: var(--seat);
    stroke-opacity: 0.65;
    stroke-width: 4;
    stroke-dasharray: 12 9;
  }
  .target .chevron {
    fill: none;
    stroke: var(--seat);
    stroke-width: 9;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  @media (hover: hover) {
    .target:hover .area {
      fill-opacity: 0.34;
      stroke-dasharray: none;
    }
  }
  .target.aimed .area {
    fill-opacity: 0.34;
    stroke: var(--focus);
    stroke-opacity: 1;
    stroke-width: 8;
    stroke-dasharray: none;
  }

  /* ---- above and below the maze ---- */
  .scoreboard {
    display: flex;
    align-items: center;
    gap: 10px;
    height: 36px;
  }
  .badge {
    display: flex;
    align-items: center;
    gap: 6px;
    font-variant-numeric: tabular-nums;
  }
  .badge:last-child {
    flex-direction: row-reverse;
  }
  .badge svg {
    width: 34px;
    height: 34px;
    flex: none;
  }
  .badge b {
    font-size: 1.2rem;
  }
  .badge .skin,
  .badge .neck-rim {
    stroke: var(--card);
  }
  .shares {
    position: relative;
    display: flex;
    justify-content: space-between;
    flex: 1;
    height: 14px;
    border-radius: 7px;
    background: light-dark(#f4d88a, #5e5025);
    overflow: hidden;
  }
  .share {
    background: var(--seat);
    transition: width 0.2s ease-out;
  }
  .half {
    position: absolute;
    left: calc(50% - 1px);
    width: 2px;
    height: 100%;
    background: var(--ink);
    opacity: 0.55;
  }
  .below {
    display: flex;
    align-items: center;
    gap: 8px;
    min-height: 38px;
  }
  .progress {
    flex: 1;
    min-width: 0;
    height: 38px;
    color: var(--ink-soft);
    font-size: 0.88rem;
    line-height: 19px;
    font-variant-numeric: tabular-nums;
  }
  .progress p {
    margin: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .progress b {
    color: var(--ink);
  }
  .held {
    color: light-dark(#7a5227, #d3a56d);
    font-weight: 600;
  }
  .zoom {
    display: flex;
    gap: 6px;
  }
`;
