// Layout of <game-page>: the table with the board, and beside it (on a phone: below it) the card with the rest.
import { css } from "lit";

export const gamePageStyles = css`
  :host {
    --board-room: max(300px, calc(100vh - 190px));
    display: grid;
    grid-template-columns: minmax(0, var(--board-room)) 300px;
    gap: 24px;
    align-items: start;
    justify-content: center;
  }
  p {
    margin: 0;
  }
  .table {
    display: grid;
    gap: 8px;
  }
  .field {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 8px;
  }
  .board {
    min-height: 200px;
  }
  .player {
    display: flex;
    align-items: center;
    gap: 8px;
    min-height: 28px;
    padding-left: 34px;
  }
  .to-move {
    font-weight: 650;
  }
  .turn,
  .note {
    color: var(--ink-soft);
    font-size: 0.9rem;
    font-weight: 400;
  }
  .swatch {
    width: 13px;
    height: 13px;
    border-radius: 4px;
  }
  .swatch.seat-0 {
    background: var(--seat-0);
  }
  .swatch.seat-1 {
    background: var(--seat-1);
  }
  .moves {
    display: flex;
    gap: 8px;
    min-height: 42px;
    padding-left: 34px;
  }
  .moves button {
    flex: 1;
    max-width: 200px;
  }
  aside,
  .status {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
  }
  aside {
    gap: 14px;
  }
  .status {
    gap: 8px;
  }
  .now {
    font-size: 1.1rem;
    font-weight: 650;
  }
  move-list {
    height: 260px;
    border: 1px solid var(--line);
    border-radius: var(--radius);
  }
  .evaluation {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 10px;
    min-height: 28px;
  }
  .evaluation label {
    display: flex;
    align-items: center;
    gap: 8px;
    cursor: pointer;
  }
  .evaluation input {
    width: 18px;
    height: 18px;
  }
  .game,
  .request {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
  .request p {
    flex-basis: 100%;
  }
  @media (max-width: 820px) {
    :host {
      --board-room: none;
      grid-template-columns: minmax(0, 1fr);
      gap: 12px;
    }
    move-list {
      height: 150px;
    }
    aside.card {
      padding: 14px;
    }
  }
`;
