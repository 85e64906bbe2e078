// Form fields as templates: a row of radio buttons, a select, a number, the player's name. They keep no state.
import { html, type TemplateResult } from "lit";
import * as common from "#texts/common";
import { keepOwnName, ownName } from "../state/me";

const MAX_NAME = 64;

/** A value and its label. */
export type Option<Value> = readonly [Value, string];

export function radioField<Value extends string | number>(
  legend: string,
  name: string,
  options: readonly Option<Value>[],
  chosen: Value,
  choose: (value: Value) => void,
): TemplateResult {
  return html`
    <fieldset>
      <legend>${legend}</legend>
      <div class="radios">
        ${options.map(
          ([value, label]) => html`
            <label>
              <input
                type="radio"
                name=${name}
                .checked=${value === chosen}
                @change=${() => {
                  choose(value);
                }}
              />
              <span>${label}</span>
            </label>
          `,
        )}
      </div>
    </fieldset>
  `;
}

export function selectField(
  label: string,
  name: string,
  options: readonly Option<string>[],
  chosen: string,
  choose: (value: string) => void,
): TemplateResult {
  return html`
    <label class="field">
      <span>${label}</span>
      <select
        name=${name}
        @change=${(event: Event) => {
          choose((event.target as HTMLSelectElement).value);
        }}
      >
        ${options.map(
          ([value, text]) => html`<option value=${value} ?selected=${value === chosen}>${text}</option>`,
        )}
      </select>
    </label>
  `;
}

export interface NumberLimits {
  readonly min: number;
  readonly max: number;
  readonly step?: number;
}

export function numberField(
  label: string,
  name: string,
  { min, max, step = 1 }: NumberLimits,
  value: number,
  choose: (value: number) => void,
  isDisabled = false,
): TemplateResult {
  return html`
    <label class="field">
      <span>${label}</span>
      <input
        type="number"
        name=${name}
        min=${min}
        max=${max}
        step=${step}
        .value=${Number.isNaN(value) ? "" : String(value)}
        ?disabled=${isDisabled}
        @input=${(event: Event) => {
          choose((event.target as HTMLInputElement).valueAsNumber);
        }}
      />
    </label>
  `;
}

/** The player's name, which the browser stores. */
export function nameField(): TemplateResult {
  return html`
    <label class="field">
      <span>${common.yourName}</span>
      <input
        type="text"
        name="name"
        maxlength=${MAX_NAME}
        autocomplete="nickname"
        placeholder=${common.anyName}
        .value=${ownName()}
        @input=${(event: Event) => {
          keepOwnName((event.target as HTMLInputElement).value.trim());
        }}
      />
    </label>
  `;
}
