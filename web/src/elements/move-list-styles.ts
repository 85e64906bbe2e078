// Styles of <move-list>. The element that contains it chooses its height.
import { css } from "lit";

export const moveListStyles = css`
  :host {
    display: flex;
    flex-direction: var(--list-direction, column);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    overflow: hidden;
  }
  .moves {
    position: relative;
    flex: 1;
    min-height: 0;
    overflow-y: auto;
    scrollbar-width: thin;
  }
  ol {
    margin: 0;
    padding: 4px;
    list-style: none;
    font-variant-numeric: tabular-nums;
  }
  li {
    display: grid;
    grid-template-columns: 2.3em repeat(var(--columns), minmax(0, 1fr));
    align-items: center;
  }
  .number,
  .none {
    padding-left: 6px;
    color: var(--ink-soft);
  }
  .number {
    font-size: 0.9rem;
  }
  .none {
    margin: 0;
    padding: 8px 12px;
  }
  button.move {
    min-height: 28px;
    padding: 1px 8px;
    border: 0;
    border-radius: 6px;
    background: none;
    text-align: left;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .words button.move {
    padding: 3px 8px;
    line-height: 1.3;
    white-space: normal;
  }
  .further {
    width: 100%;
    border: 0;
    border-radius: 0;
    background: none;
    color: var(--accent);
  }
  .move > i {
    display: inline-block;
    width: 8px;
    height: 8px;
    margin-right: 7px;
    border-radius: 3px;
    box-shadow: 0 0 0 1px var(--card);
  }
  @media (pointer: coarse) {
    button.move {
      min-height: 36px;
    }
  }
  button.move:hover {
    background: var(--paper);
  }
  button.move.shown {
    background: var(--accent);
    color: var(--accent-ink);
    font-weight: 650;
  }
  button.move:has(.parts) {
    position: relative;
  }
  .parts + .sign {
    position: absolute;
    right: 10px;
    bottom: 1px;
  }
  .parts {
    display: grid;
    grid-auto-columns: minmax(0, 1fr);
    grid-auto-flow: column;
  }
  .part {
    display: flex;
    align-items: center;
    gap: 7px;
  }
  .part i {
    width: 8px;
    height: 8px;
    border-radius: 3px;
    box-shadow: 0 0 0 1px var(--card);
  }
  .part .sign {
    margin-left: -3px;
  }
  .sign {
    margin-left: 3px;
    font-weight: 700;
  }
  .move:not(.shown) .inaccuracy {
    color: var(--inaccuracy);
  }
  .move:not(.shown) .mistake {
    color: var(--mistake);
  }
  .move:not(.shown) .blunder {
    color: var(--blunder);
  }
  .walk {
    display: grid;
    grid-auto-columns: 1fr;
    grid-auto-flow: column;
    z-index: 1;
    box-shadow: 0 0 0 1px var(--line);
  }
  .walk button {
    display: grid;
    place-items: center;
    min-height: var(--target);
    padding: 0;
    border: 0;
    border-radius: 0;
    background: none;
    color: var(--ink);
  }
  .walk .codes {
    font-size: 0.85rem;
  }
  .walk .codes[aria-pressed="true"] {
    color: var(--accent);
    font-weight: 650;
  }
  .walk button:hover:not(:disabled) {
    background: var(--paper);
  }
  .walk button:disabled {
    opacity: 0.3;
  }
  button:focus-visible {
    outline-offset: -3px;
  }
`;
