// Layout of <your-games>: rows with a small board, who plays, how it stands, and the clock.
import { css } from "lit";

export const yourGamesStyles = css`
  :host {
    display: block;
  }
  h2 {
    margin: 0 0 6px;
    font-size: 1.05rem;
  }
  p {
    margin: 0;
  }
  .note {
    color: var(--ink-soft);
    font-size: 0.9rem;
  }
  ul {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 300px), 1fr));
    gap: 0 12px;
    margin: 0 -10px;
    padding: 0;
    list-style: none;
  }
  li {
    border-top: 1px solid var(--line);
  }
  /* As high as a row, so that nothing moves when the rows arrive. */
  .due {
    height: 89px;
  }
  li a {
    display: grid;
    grid-template-columns: 72px minmax(0, 1fr) auto;
    grid-template-rows: repeat(3, auto);
    gap: 0 12px;
    align-content: center;
    padding: 8px 10px;
    border-radius: var(--radius);
    color: inherit;
    text-decoration: none;
  }
  li a:hover {
    background: var(--paper);
  }
  small-board {
    grid-row: 1 / -1;
  }
  .gone li {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 12px;
    padding: 8px 10px;
  }
  .who,
  .standing,
  .about {
    grid-column: 2;
    overflow-wrap: anywhere;
  }
  .who {
    font-weight: 600;
  }
  .mine {
    color: var(--accent);
    font-weight: 600;
  }
  .about {
    color: var(--ink-soft);
    font-size: 0.9rem;
  }
  game-clock {
    grid-area: 1 / 3 / -1;
    align-self: center;
  }
  details {
    margin-top: 8px;
    font-size: 0.9rem;
  }
  summary {
    width: fit-content;
    line-height: var(--target);
    color: var(--ink-soft);
    cursor: pointer;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    margin: 8px 0;
  }
  label.button {
    display: inline-grid;
    place-items: center;
    min-height: var(--target);
    padding: 6px 14px;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    cursor: pointer;
  }
  label.button:focus-within {
    outline: 3px solid var(--focus);
    outline-offset: 2px;
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    opacity: 0;
  }
`;
