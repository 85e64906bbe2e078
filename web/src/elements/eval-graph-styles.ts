// Styles of <eval-graph>. The drawing is stretched to the available space; strokes are not.
import { css } from "lit";

export const evalGraphStyles = css`
  :host {
    display: block;
  }
  .graph {
    height: var(--graph-height, 110px);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--card);
    overflow: hidden;
    cursor: pointer;
    touch-action: pan-y;
  }
  .graph:focus-visible {
    outline: 3px solid var(--focus);
    outline-offset: 2px;
  }
  svg {
    display: block;
    width: 100%;
    height: 100%;
    padding: 5px 6px;
    overflow: visible;
    box-sizing: border-box;
  }
  path {
    vector-effect: non-scaling-stroke;
    fill: none;
    stroke-linejoin: round;
  }
  .seat-0 {
    --own: var(--seat-0);
  }
  .seat-1 {
    --own: var(--seat-1);
  }
  .seat-2 {
    --own: var(--seat-2);
  }
  .seat-3 {
    --own: var(--seat-3);
  }
  .seat-4 {
    --own: var(--seat-4);
  }
  .area {
    fill: var(--own);
    opacity: 0.32;
  }
  .line {
    stroke: var(--ink-soft);
    stroke-width: 1.5;
  }
  .line.own {
    stroke: var(--own, var(--nobody));
  }
  .zero {
    stroke: var(--ink-soft);
    stroke-width: 1;
    opacity: 0.35;
  }
  .cursor {
    stroke: var(--accent);
    stroke-width: 2;
  }
  .cursor.pointed {
    stroke: var(--ink-soft);
    stroke-width: 1;
    stroke-dasharray: 3 3;
  }
  .dot {
    stroke-linecap: round;
    stroke-width: 9;
  }
  .dot.each {
    stroke: var(--ink-soft);
    stroke-width: 4.5;
  }
  .dot.present {
    stroke: var(--accent);
    stroke-width: 7;
  }
  .dot.inaccuracy {
    stroke: var(--inaccuracy);
    stroke-width: 7;
  }
  .dot.mistake {
    stroke: var(--mistake);
  }
  .dot.blunder {
    stroke: var(--blunder);
    stroke-width: 11;
  }
  .crowded .line {
    stroke-width: 1;
  }
  .crowded .inaccuracy {
    stroke-width: 3;
  }
  .crowded .mistake {
    stroke-width: 4;
  }
  .crowded .blunder {
    stroke-width: 6;
  }
  .reading {
    display: flex;
    gap: 10px;
    margin: 4px 2px 0;
    min-height: 1.45em;
    color: var(--ink-soft);
    font-size: 0.9rem;
    font-variant-numeric: tabular-nums;
  }
  .reading .value {
    margin-left: auto;
  }
  .reading .inaccuracy {
    color: var(--inaccuracy);
  }
  .reading .mistake {
    color: var(--mistake);
  }
  .reading .blunder {
    color: var(--blunder);
  }
`;
