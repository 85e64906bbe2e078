// Layout of <lobby-page>: the games side by side, then the lists, as many columns as there is room for.
import { css } from "lit";

export const lobbyPageStyles = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 18px;
  }
  h1,
  p {
    margin: 0;
  }
  h1 {
    font-size: 1.6rem;
    line-height: 1.2;
  }
  .intro {
    display: grid;
    gap: 4px;
    padding-top: 6px;
  }
  .note {
    color: var(--ink-soft);
    font-size: 0.9rem;
  }
  .here {
    min-height: 1lh;
  }
  /* Room for the cards before they arrive, so that the lists stay where they are. */
  .games {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(250px, 1fr));
    gap: 14px;
    min-height: 222px;
  }
  .lists {
    columns: 2 380px;
    column-gap: 16px;
  }
  .lists > * {
    break-inside: avoid;
    margin-bottom: 16px;
  }
  .field {
    display: flex;
    align-items: center;
    gap: 10px;
    color: var(--ink-soft);
  }
  .older {
    margin-top: 8px;
  }
  @media (max-width: 600px) {
    h1 {
      font-size: 1.35rem;
    }
    .games {
      grid-template-columns: minmax(0, 1fr);
      gap: 10px;
      min-height: 702px;
    }
    .games .card {
      padding: 14px;
    }
  }
`;
