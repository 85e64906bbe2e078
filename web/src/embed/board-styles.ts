// Styles of <plyhouse-board>: the board with its bar, and below it the caption, the curve and the buttons.
import { css } from "lit";

export const boardStyles = css`
  :host {
    display: block;
    color: var(--ink);
    font:
      15px/1.4 system-ui,
      sans-serif;
  }
  .field {
    display: grid;
    grid-template-columns: minmax(0, var(--board-width, 1fr));
    justify-content: center;
    gap: 8px;
    min-height: 120px;
  }
  .field:has(plyhouse-bar) {
    grid-template-columns: auto minmax(0, var(--board-width, 1fr));
  }
  .caption p {
    margin: 0;
    padding-top: 4px;
    color: var(--ink-soft);
    text-align: center;
  }
  p.problem {
    color: var(--danger);
  }
  plyhouse-graph {
    --graph-height: 84px;
    padding-top: 8px;
  }
  .walk {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: center;
    gap: 4px 12px;
    padding-top: 6px;
  }
  .walk > div {
    display: flex;
    gap: 4px;
  }
  .walk button {
    display: grid;
    place-items: center;
    min-width: var(--target);
    padding: 0;
  }
  .ply {
    min-width: 4.5em;
    color: var(--ink-soft);
    font-size: 0.9rem;
    font-variant-numeric: tabular-nums;
  }
  .home {
    display: inline-grid;
    place-items: center;
    min-width: var(--target);
    min-height: var(--target);
  }
  .empty {
    display: grid;
    place-content: center;
    justify-items: center;
    gap: 4px;
    min-height: 120px;
    padding: 12px;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--card);
    text-align: center;
  }
  .empty p {
    margin: 0;
    max-width: 30em;
  }
`;
