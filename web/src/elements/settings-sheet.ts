// <settings-sheet>: a dialog with what a person can set for this browser. Loaded when it is opened.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { set, settings, type Settings } from "../state/settings";
import { controls } from "./controls";

type Switch = { readonly [K in keyof Settings]: Settings[K] extends boolean ? K : never }[keyof Settings];

const SWITCHES: readonly (readonly [name: Switch, label: string, about: string])[] = [
  ["sounds", "Sounds", "Moves, scores, your turn, low time and the end"],
  ["confirmation", "Confirm moves", "A complete move waits for a button, except in PyRat"],
  ["coordinates", "Coordinates", "The names of rows and columns, where a board has them"],
  ["animation", "Animations", "Pieces glide to their places"],
  ["notifications", "Notifications", "When it is your turn and this page is hidden"],
];

const THEMES: readonly (readonly [value: Settings["theme"], label: string])[] = [
  ["system", "As the system"],
  ["light", "Light"],
  ["dark", "Dark"],
];

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
          <h2 id="title">Settings</h2>
          <label>
            Theme
            <select @change=${this.onTheme}>
              ${THEMES.map(
                ([value, label]) =>
                  html`<option value=${value} ?selected=${value === theme}>${label}</option>`,
              )}
            </select>
          </label>
          ${SWITCHES.map(([name, label, about]) => this.switch(name, label, about))}
          <p class="problem" role="alert" ?hidden=${this.problem === ""}>${this.problem}</p>
          <button class="primary close">Done</button>
        </form>
      </dialog>
    `;
  }

  private switch(name: Switch, label: string, about: string): TemplateResult {
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
  if (typeof Notification === "undefined" || !isSecureContext)
    return "This browser notifies only for pages with an https address.";
  const answer = await Notification.requestPermission();
  return answer === "granted" ? "" : "The browser's settings for this page do not allow notifications.";
}
