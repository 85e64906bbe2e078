// Styles of <hive-board> except for the tiles (tile-colours.ts), and the page's colours for Hive.
import { css, unsafeCSS } from "lit";
import { VIEW } from "./geometry";

/** Height of a reserve in CSS pixels. */
export const SLOT = 46;

/** The page's colours for White and Black: swatches, shares in the evaluation bar, and text on them. */
export const SEAT_COLOURS = {
  "--seat-0": "light-dark(#dccb9f, #f0e6cc)",
  "--seat-0-ink": "#2b2415",
  "--seat-0-soft": "light-dark(#f3ead2, #4a4432)",
  "--seat-1": "light-dark(#33373e, #59606b)",
  "--seat-1-ink": "#ffffff",
  "--seat-1-soft": "light-dark(#d9dbdf, #30343a)",
} as const;

export const hiveStyles = css`
  :host {
    display: block;
    --slot: ${unsafeCSS(SLOT)}px;
  }
  .board {
    display: grid;
    gap: 4px;
  }
  .table {
    position: relative;
    box-sizing: border-box;
    width: 100%;
    aspect-ratio: ${unsafeCSS(VIEW.width / VIEW.height)};
    max-height: calc(var(--board-room) - 2 * var(--slot) - 10px);
    border: 1px solid var(--board-line);
    border-radius: var(--radius);
    background: var(--board);
    overflow: hidden;
  }
  .zoom {
    position: absolute;
    right: 6px;
    bottom: 6px;
    display: flex;
    gap: 6px;
  }
  .piece {
    outline: none;
    transition: transform calc(0.25s * var(--motion, 1)) ease-out;
  }
  .premove .arrival.staged {
    --mark: var(--premove);
  }

  /* ---- marks ---- */
  .rim {
    fill: none;
    stroke: none;
    stroke-width: 5;
    stroke-linejoin: round;
  }
  .arrival,
  .origin {
    fill: none;
    stroke: var(--mark);
    stroke-width: 5;
    pointer-events: none;
    --mark: light-dark(#d39a00, #f0c23c);
  }
  .origin {
    fill: var(--board-mark);
    stroke-width: 3;
    stroke-dasharray: 7 6;
  }
  .height circle {
    fill: var(--accent);
    stroke: var(--board);
    stroke-width: 2.5;
  }
  .height text {
    fill: var(--accent-ink);
    font:
      700 20px system-ui,
      sans-serif;
    text-anchor: middle;
  }
  .rest circle {
    fill: var(--card);
    stroke: var(--ink-soft);
    stroke-width: 2;
  }
  .rest path {
    stroke: var(--ink-soft);
    stroke-width: 3;
  }
  .hint {
    fill: none;
    stroke: var(--hint);
    stroke-width: 7;
    pointer-events: none;
  }
  line.hint {
    stroke-width: 10;
    opacity: 0.8;
  }
  .pointed-out {
    pointer-events: none;
  }
  .pointed-out .ghost {
    opacity: 0.6;
  }
  .tip {
    fill: var(--hint);
  }

  /* ---- picking ---- */
  .source,
  .target {
    cursor: pointer;
  }
  .source.foreign .rim {
    stroke: var(--accent);
    stroke-width: 4;
    stroke-dasharray: 9 7;
  }
  .source.selected .rim {
    stroke: var(--accent);
    stroke-width: 8;
    stroke-dasharray: none;
  }
  .target {
    outline: none;
  }
  .target .area {
    fill: var(--accent);
    fill-opacity: 0.14;
  }
  .target.climb .area {
    fill-opacity: 0.05;
  }
  .target .outline {
    fill: none;
    stroke: var(--accent);
    stroke-width: 3;
    stroke-dasharray: 8 6;
  }
  .target.climb .outline {
    stroke-width: 5;
    stroke-dasharray: none;
  }
  .target .offer {
    fill: var(--accent);
    stroke: var(--board);
    stroke-width: 3;
  }
  .target .ghost {
    opacity: 0;
  }
  @media (hover: hover) {
    .source:hover .rim {
      stroke: var(--accent);
    }
    .target:hover .ghost {
      opacity: 0.85;
    }
    .target:hover .offer {
      opacity: 0;
    }
  }
  .target.aimed .ghost {
    opacity: 0.9;
  }
  .target.aimed .offer {
    opacity: 0;
  }
  .target.aimed .outline {
    stroke-width: 7;
    stroke-dasharray: none;
  }
  .piece:focus-visible .rim {
    stroke: var(--focus);
    stroke-width: 8;
    stroke-dasharray: none;
  }
  .target:focus-visible .ghost {
    opacity: 0.85;
  }
  .target:focus-visible .offer {
    opacity: 0;
  }
  .target:focus-visible .outline {
    stroke: var(--focus);
    stroke-width: 7;
    stroke-dasharray: none;
  }

  /* ---- a stack spread out ---- */
  .spread {
    pointer-events: none;
  }
  .spread .card {
    fill: var(--card);
    stroke: var(--board-rim);
    stroke-width: 2;
  }
  .spread text:not(.number) {
    fill: var(--ink-soft);
    font:
      22px system-ui,
      sans-serif;
  }
  .spread text.end {
    text-anchor: end;
  }

  /* ---- reserves ---- */
  .tray {
    display: grid;
    grid-template-columns: repeat(8, minmax(0, var(--slot)));
    gap: 4px;
    min-height: var(--slot);
  }
  .tray.inviting {
    border-radius: 10px;
    background: color-mix(in srgb, var(--accent) 10%, transparent);
    box-shadow: 0 0 0 2px var(--accent);
  }
  .slot {
    position: relative;
    display: grid;
    place-items: center;
    box-sizing: border-box;
    width: 100%;
    height: var(--slot);
    min-width: 0;
    margin: 0;
    padding: 1px;
    border: 0;
    border-radius: 8px;
    background: none;
    color: var(--ink);
    font: inherit;
  }
  .slot svg {
    width: 100%;
    height: calc(var(--slot) - 4px);
    min-width: 0;
  }
  span.slot:not(.siege) {
    opacity: 0.8;
  }
  button.slot {
    cursor: pointer;
  }
  button.slot::after {
    position: absolute;
    inset: 0 -2px;
    content: "";
  }
  button.slot[data-carried] {
    background: none;
    box-shadow: none;
  }
  .slot.empty {
    border: 1px dashed var(--line);
  }
  .slot.hinted {
    box-shadow: inset 0 0 0 3px var(--hint);
  }
  .slot.selected {
    background: color-mix(in srgb, var(--accent) 22%, transparent);
    box-shadow: inset 0 0 0 2px var(--accent);
  }
  .slot:focus-visible {
    outline: 3px solid var(--focus);
    outline-offset: -1px;
  }
  @media (hover: hover) {
    button.slot:hover:not(.selected) {
      background: color-mix(in srgb, var(--accent) 12%, transparent);
    }
  }
  .count {
    position: absolute;
    right: 0;
    bottom: 0;
    min-width: 17px;
    border-radius: 9px;
    background: var(--ink);
    color: var(--paper);
    font-size: 12px;
    font-weight: 700;
    line-height: 17px;
    text-align: center;
  }
  .siege {
    border: 1px dashed var(--line);
    color: var(--ink-soft);
    font-size: 0.85rem;
    font-variant-numeric: tabular-nums;
  }
  .siege.tight {
    border-color: var(--danger);
    color: var(--danger);
    font-weight: 700;
  }

  /* ---- messages over the board ---- */
  .note.above {
    top: 10px;
    bottom: auto;
  }
  .pass,
  .note {
    position: absolute;
    left: 50%;
    bottom: 10px;
    translate: -50% 0;
    margin: 0;
    white-space: nowrap;
  }
  .pass {
    min-height: 42px;
    padding: 6px 18px;
    border: 0;
    border-radius: var(--radius);
    background: var(--accent);
    color: var(--accent-ink);
    font: inherit;
    font-weight: 650;
    cursor: pointer;
  }
  .pass:focus-visible {
    outline: 3px solid var(--focus);
    outline-offset: 2px;
  }
  .note {
    padding: 3px 12px;
    border-radius: 99px;
    background: var(--card);
    box-shadow: 0 0 0 1px var(--line);
    color: var(--ink-soft);
    font-size: 0.9rem;
  }
`;
