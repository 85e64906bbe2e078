// Who analyses the position on the analysis board: the server's engine, or an attached bot. Called by the board page.
import { html, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import * as texts from "#texts/board";
import type { Bot } from "../api/shapes";
import type { Analysts } from "../state/analysts";

/** Nothing while there is no choice. `chosen`, and what `onChoose` is called with: null for the server's engine. */
export function drawAnalysts(
  analysts: Analysts | null,
  chosen: Bot | null,
  onChoose: (bot: Bot | null) => void,
): TemplateResult | null {
  const bots = analysts?.with(chosen) ?? [];
  if (analysts === null || bots.length === 0) return null;
  const choose = (event: Event): void => {
    const { value } = event.target as HTMLSelectElement;
    onChoose(bots.find(({ id }) => id === value) ?? null);
  };
  return html`<label class="lines"
    >${texts.by}
    <select aria-label=${texts.analysedBy} @change=${choose} @focus=${analysts.load}>
      <option value="" ?selected=${chosen === null}>${texts.thisServer}</option>
      ${repeat(
        bots,
        ({ id }) => id,
        (bot) =>
          html`<option value=${bot.id} ?selected=${bot.id === chosen?.id}>
            ${analysts.has(bot) ? bot.name : texts.hasLeft(bot.name)}
          </option>`,
      )}
    </select>
  </label>`;
}
