// Styles of <eval-bar> in each of its states.
import { css } from "lit";

export const evalBarStyles = css`
  :host {
    display: block;
    width: 26px;
  }
  [hidden] {
    display: none !important;
  }
  .bar {
    position: relative;
    height: 100%;
    box-sizing: border-box;
    overflow: hidden;
    border: 1px solid var(--line);
    border-radius: 6px;
    background: var(--card);
  }
  .bar:has(.band) {
    display: flex;
    flex-direction: column;
  }
  .band {
    flex: 0 0 0;
    min-height: 0;
    transition: flex-grow 0.35s ease-out;
  }
  .band + .band {
    box-shadow: 0 -1px var(--card);
  }
  .fill {
    position: absolute;
    inset: 0;
    background: var(--line);
    opacity: 0.6;
    transform-origin: bottom;
    transition: transform 0.35s ease-out;
  }
  .known .fill {
    opacity: 1;
  }
  .seat-0 {
    background: var(--seat-0);
  }
  .seat-1 {
    background: var(--seat-1);
  }
  .off .fill,
  .forbidden .fill {
    display: none;
  }
  .connecting,
  .pending {
    animation: breathe 1.2s ease-in-out infinite alternate;
  }
  .bar.frozen {
    filter: saturate(0.35);
    opacity: 0.75;
  }
  .middle {
    position: absolute;
    inset: 50% 0 auto;
    border-top: 2px solid var(--card);
    opacity: 0.8;
  }
  .off .middle,
  .forbidden .middle {
    border-color: var(--line);
  }
  .figure {
    position: absolute;
    left: 0;
    right: 0;
    bottom: 3px;
    color: var(--card);
    font:
      700 9px/1.4 system-ui,
      sans-serif;
    text-align: center;
    font-variant-numeric: tabular-nums;
    letter-spacing: -0.04em;
  }
  .figure.on-0 {
    color: var(--seat-0-ink, var(--card));
  }
  .figure.on-1 {
    color: var(--seat-1-ink, var(--card));
  }
  .figure.above {
    top: 3px;
    bottom: auto;
  }
  .no {
    position: absolute;
    top: calc(50% - 8px);
    left: calc(50% - 8px);
    width: 16px;
    background: var(--card);
    fill: none;
    stroke: var(--ink-soft);
    stroke-width: 1.6;
    stroke-linecap: round;
  }
  @keyframes breathe {
    to {
      opacity: 0.55;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .fill,
    .band {
      transition: none;
    }
    .connecting,
    .pending {
      animation: none;
      opacity: 0.7;
    }
  }
`;
