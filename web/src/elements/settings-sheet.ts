// <settings-sheet>: a dialog with what a person can set for this browser. Loaded when it is opened.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import * as texts from "#texts/settings";
import { set, settings, type Settings } from "../state/settings";
import { controls } from "./controls";

type Switch = { readonly [K in keyof Settings]: Settings[K] extends boolean ? K : never }[keyof Settings];

const SWITCHES: readonly Switch[] = ["sounds", "confirmation", "coordinates", "animation", "notifications"];
const THEMES: readonly Settings["theme"][] = ["system", "light", "dark"];

@customElement("settings-sheet")
export class SettingsSheet extends LitElement {
  static override styles = [
    controls,
    css`
      dialog {
        width: min(420px, calc(100vw - 20px));
        max-height: calc(100dvh - 20px);
        padding: 0;
        border: 1px solid var(--line);
        border-radius: calc(var(--radius) + 4px);
        background: var(--card);
        color: var(--ink);
      }
      dialog::backdrop {
        background: rgb(0 0 0 / 45%);
      }
      form {
        display: grid;
        gap: 4px;
        padding: 16px 18px;
      }
      h2 {
        margin: 0;
        font-size: 1.15rem;
      }
      label {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 0 12px;
        align-items: center;
        align-content: center;
        min-height: 44px;
        cursor: pointer;
      }
      small {
        grid-column: 1;
        color: var(--ink-soft);
        font-size: 0.85rem;
      }
      input {
        grid-row: span 2;
        grid-column: 2;
        width: 22px;
        height: 22px;
        margin: 0;
      }
      .close {
        margin-top: 8px;
      }
      @media (max-height: 500px) {
        form {
          grid-template-columns: repeat(2, minmax(0, 1fr));
          gap: 2px 24px;
          padding: 10px 16px;
        }
        dialog {
          width: min(680px, calc(100vw - 20px));
        }
        h2,
        .close,
        .problem {
          grid-column: 1 / -1;
        }
      }
    `,
  ];

  @state() private problem = "";
  @query("dialog") private dialog!: HTMLDialogElement;

  async open(): Promise<void> {
    await this.updateComplete;
    this.dialog.showModal();
  }

  override render(): TemplateResult {
    const { theme } = settings();
    return html`
      <dialog aria-labelledby="title" @click=${this.onBackdrop}>
        <form method="dialog">
          <h2 id="title">${texts.heading}</h2>
          <label>
            ${texts.theme}
            <select @change=${this.onTheme}>
              ${THEMES.map(
                (value) =>
                  html`<option value=${value} ?selected=${value === theme}>${texts.themes[value]}</option>`,
              )}
            </select>
          </label>
          ${SWITCHES.map((name) => this.switch(name))}
          <p class="problem" role="alert" ?hidden=${this.problem === ""}>${this.problem}</p>
          <button class="primary close">${texts.done}</button>
        </form>
      </dialog>
    `;
  }

  private switch(name: Switch): TemplateResult {
    const [label, about] = texts.switches[name];
    return html`
      <label>
        ${label}
        <input
          type="checkbox"
          role="switch"
          aria-describedby="about-${name}"
          .checked=${settings()[name]}
          @change=${(event: Event) => {
            void this.onSwitch(name, event.target as HTMLInputElement);
          }}
        />
        <small id="about-${name}">${about}</small>
      </label>
    `;
  }

  private readonly onTheme = (event: Event): void => {
    set({ theme: (event.target as HTMLSelectElement).value as Settings["theme"] });
  };

  private async onSwitch(name: Switch, input: HTMLInputElement): Promise<void> {
    const { checked } = input;
    this.problem = name === "notifications" && checked ? await refusal() : "";
    if (this.problem !== "") input.checked = false;
    set({ [name]: input.checked });
  }

  /** A click beside the sheet closes it. */
  private readonly onBackdrop = (event: MouseEvent): void => {
    if (event.target === this.dialog) this.dialog.close();
  };
}

/** Why the browser does not notify; empty if it does. */
async function refusal(): Promise<string> {
  if (typeof Notification === "undefined" || !isSecureContext) return texts.notSecure;
  const answer = await Notification.requestPermission();
  return answer === "granted" ? "" : texts.notAllowed;
}
