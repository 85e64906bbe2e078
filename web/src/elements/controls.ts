// Styles that several elements share: buttons, fields, cards and error messages.
import { css } from "lit";

export const controls = css`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  [hidden] {
    display: none !important;
  }
  button,
  select,
  input {
    font: inherit;
    color: inherit;
  }
  button,
  a.button {
    min-height: var(--target);
    padding: 6px 14px;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--card);
    cursor: pointer;
  }
  a.button {
    display: inline-grid;
    place-items: center;
    color: inherit;
    text-decoration: none;
  }
  button:hover:not(:disabled),
  a.button:hover {
    border-color: var(--ink-soft);
  }
  button:disabled {
    opacity: 0.45;
    cursor: default;
  }
  button.primary {
    border-color: var(--accent);
    background: var(--accent);
    color: var(--accent-ink);
    font-weight: 600;
  }
  button.primary:hover:not(:disabled) {
    border-color: var(--accent);
    filter: brightness(1.08);
  }
  button.danger {
    border-color: var(--danger);
    color: var(--danger);
  }
  select,
  input[type="number"],
  input[type="text"],
  input[type="datetime-local"] {
    min-height: var(--target);
    padding: 6px 10px;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--card);
  }
  ::placeholder {
    color: var(--ink-soft);
    opacity: 1;
  }
  :focus-visible {
    outline: 3px solid var(--focus);
    outline-offset: 2px;
  }
  /* A label that looks like a button, around a field for files. */
  .file {
    display: inline-grid;
    place-items: center;
    min-height: var(--target);
    padding: 6px 14px;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    cursor: pointer;
  }
  .file:has(:focus-visible) {
    outline: 3px solid var(--focus);
    outline-offset: 2px;
  }
  .file input {
    position: absolute;
    width: 1px;
    height: 1px;
    opacity: 0;
  }
  a {
    color: var(--accent);
  }
  .card {
    padding: 20px;
    border: 1px solid var(--line);
    border-radius: calc(var(--radius) + 4px);
    background: var(--card);
  }
  .problem {
    margin: 0;
    color: var(--danger);
  }
`;
