// Layout of <new-game>: one narrow card.
import { css } from "lit";

export const newGameStyles = css`
  form {
    display: grid;
    gap: 16px;
  }
  /* About as high as the form, so that nothing below it moves when the form appears. */
  .opening {
    min-height: 820px;
  }
  h1 {
    margin: 0;
    font-size: 1.35rem;
  }
  fieldset {
    min-width: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }
  legend,
  .field > span {
    display: block;
    margin-bottom: 5px;
    padding: 0;
    color: var(--ink-soft);
    font-size: 0.9rem;
  }
  .radios {
    display: flex;
    border: 1px solid var(--line);
    border-radius: var(--radius);
  }
  .radios label {
    position: relative;
    flex: 1 1 auto;
  }
  .radios input {
    position: absolute;
    inset: 0;
    margin: 0;
    opacity: 0;
    cursor: pointer;
  }
  .radios span {
    display: grid;
    place-items: center;
    height: 100%;
    min-height: var(--target);
    padding: 4px 8px;
    border-radius: calc(var(--radius) - 1px);
    text-align: center;
  }
  .radios input:checked + span {
    background: var(--accent);
    color: var(--accent-ink);
    font-weight: 600;
  }
  .radios input:focus-visible + span {
    outline: 3px solid var(--focus);
    outline-offset: 2px;
  }
  .field {
    display: block;
  }
  .field select,
  .field input {
    width: 100%;
  }
  .pair {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: 12px;
  }
  /* Room for the longest sentence, so that nothing moves when it arrives or changes. */
  .level {
    min-height: 2lh;
  }
  .note,
  .level {
    margin: -8px 0 0;
    color: var(--ink-soft);
    font-size: 0.9rem;
  }
  @media (max-width: 480px) {
    .opening {
      min-height: 858px;
    }
    .radios span {
      padding: 4px;
    }
    .radios:has(> :nth-child(4)) {
      display: grid;
      grid-template-columns: 1fr 1fr;
    }
  }
`;
