// Layout of <game-page>: the table with the board, and the cards next to it (on an upright phone: below it).
import { css } from "lit";

export const gamePageStyles = css`
  :host {
    --board-room: max(300px, calc(100vh - 210px));
    display: grid;
    grid-template-columns: minmax(0, var(--board-room)) minmax(320px, 1fr);
    gap: 24px;
    align-items: start;
    max-width: calc(var(--board-room) + 24px + 420px);
    margin: 0 auto;
  }
  p {
    margin: 0;
  }
  .failed {
    display: grid;
    grid-column: 1 / -1;
    gap: 12px;
    max-width: 440px;
  }
  .table {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
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
  .above {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 2px 16px;
  }
  .above.many {
    grid-template-columns: repeat(2, minmax(0, 1fr));
    padding-left: 34px;
  }
  .above.many player-strip {
    padding-left: 0;
  }
  player-strip,
  .moves {
    padding-left: 34px;
  }
  .note {
    color: var(--ink-soft);
    font-size: 0.9rem;
    font-weight: 400;
  }
  .moves {
    display: flex;
    align-items: center;
    gap: 8px;
    min-height: 42px;
  }
  .moves .note {
    flex: 1;
  }
  .moves .note + button {
    flex: none;
    white-space: nowrap;
  }
  button.slim {
    min-height: 30px;
    padding: 2px 10px;
    font-size: 0.9rem;
  }
  @media (pointer: coarse) {
    button.slim,
    .view label {
      min-height: var(--target);
    }
  }
  aside {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 14px;
  }
  aside .card {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 12px;
    padding: 16px;
  }
  move-list {
    height: 262px;
  }
  .view {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 10px;
    min-height: 30px;
  }
  .view label {
    display: flex;
    align-items: center;
    gap: 8px;
    cursor: pointer;
  }
  .view input {
    width: 18px;
    height: 18px;
    margin: 0;
  }
  /* Two lines, together as high as the button beside them: neither its text nor a long name moves anything. */
  .view .basis {
    display: -webkit-box;
    flex: 1 1 0;
    min-width: 0;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    font-size: 13px;
    line-height: 15px;
    text-wrap: balance;
  }
  .view p {
    flex-basis: 100%;
  }
  .flip {
    display: inline-flex;
    align-items: center;
    gap: 5px;
    margin-left: auto;
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }
  @media (max-width: 820px) {
    :host {
      --board-room: none;
      max-width: none;
      grid-template-columns: minmax(0, 1fr);
      gap: 12px;
    }
    /* Offers of the other player come before the moves. */
    game-actions {
      order: 1;
    }
    move-list {
      order: 2;
      height: 204px;
    }
    .view,
    move-policies {
      order: 3;
    }
    seat-transfer {
      order: 4;
    }
    aside .card {
      padding: 14px;
    }
  }
  /* A bar that is off leaves its place to the board. */
  @media (max-width: 480px) {
    .plain .field {
      grid-template-columns: minmax(0, 1fr);
    }
    .plain eval-bar {
      display: none;
    }
    .plain .above.many,
    .plain player-strip,
    .plain .moves {
      padding-left: 0;
    }
  }
  /* A phone in landscape: the board fills the height, and stays in view while the rest scrolls. */
  @media (max-height: 500px) and (min-width: 560px) {
    :host {
      --board-room: max(240px, calc(100svh - 52px));
      grid-template-columns: calc(max(var(--board-room), 348px) + 34px) minmax(0, 1fr);
      grid-template-rows: repeat(3, auto) 1fr;
      gap: 6px 16px;
    }
    .table {
      display: contents;
    }
    .field {
      position: sticky;
      top: 6px;
      grid-row: 1 / -1;
      align-self: start;
    }
    .above,
    .above.many,
    .table > player-strip,
    .moves,
    aside {
      grid-column: 2;
      padding-left: 0;
    }
    .above player-strip {
      padding-left: 0;
    }
    game-actions {
      order: 1;
    }
    move-list {
      order: 2;
      height: 170px;
    }
    .view,
    move-policies {
      order: 3;
    }
    seat-transfer {
      order: 4;
    }
  }
`;
