// What <puzzle-page> and <mistakes-view> add to the layout of <learn-page>.
import { css } from "lit";

export const puzzlePageStyles = css`
  .swatch {
    display: inline-block;
    width: 13px;
    height: 13px;
    margin-right: 7px;
    border-radius: 4px;
    box-shadow: inset 0 0 0 1px color-mix(in srgb, var(--ink) 30%, transparent);
    vertical-align: -1px;
    background: var(--own, var(--nobody));
  }
  .choices {
    gap: 10px;
  }
  .choices .field {
    display: grid;
    grid-template-columns: 6em minmax(0, 1fr);
    gap: 8px;
    align-items: center;
  }
`;
