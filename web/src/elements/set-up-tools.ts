// <set-up-tools>: what a click on the board places while a position is being set up, and the start as text.
// It fires "tool" with the name of the chosen tool, "act" with that of what is done at once, "text" with a changed
// configuration, "done" and "cancel".
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import * as common from "#texts/common";
import * as texts from "#texts/board";
import type { Tool } from "../boards";
import { controls } from "./controls";

@customElement("set-up-tools")
export class SetUpTools extends LitElement {
  static override styles = [
    controls,
    css`
      :host,
      .tools {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
        align-items: center;
      }
      .tools button {
        min-height: 36px;
        padding: 2px 12px;
        font-size: 0.9rem;
      }
      button[aria-pressed="true"] {
        border-color: var(--accent);
        background: var(--accent);
        color: var(--accent-ink);
      }
      p {
        flex: 1 1 100%;
        margin: 0;
      }
      details {
        flex: 1 1 100%;
      }
      textarea {
        width: 100%;
        min-height: 96px;
        margin-top: 8px;
        padding: 8px 10px;
        border: 1px solid var(--line);
        border-radius: var(--radius);
        background: var(--paper);
        color: inherit;
        font:
          0.85rem/1.4 ui-monospace,
          "Liberation Mono",
          monospace;
        resize: vertical;
      }
      @media (pointer: coarse) {
        .tools button {
          min-height: var(--target);
        }
      }
    `,
  ];

  @property({ attribute: false }) tools: readonly Tool[] = [];
  @property({ attribute: false }) chosen = "";
  /** The configuration as text. */
  @property({ attribute: false }) text = "";
  @property({ attribute: false }) problem = "";

  override render(): TemplateResult {
    const hasTools = this.tools.length > 0;
    return html`
      ${
        hasTools
          ? html`<p>${texts.howToSetUp}</p>
              <div class="tools" role="group" aria-label=${texts.whatToPlace}>
                ${this.tools.map((tool) => this.tool(tool))}
              </div>`
          : html`<p>${texts.onlyAsText}</p>`
      }
      <details ?open=${!hasTools}>
        <summary>${texts.asText}</summary>
        <textarea
          aria-label=${texts.configuration}
          spellcheck="false"
          .value=${this.text}
          @change=${this.onText}
        ></textarea>
      </details>
      <p class="problem" role="alert" ?hidden=${this.problem === ""}>${this.problem}</p>
      <button
        class="primary"
        @click=${() => {
          this.fire("done");
        }}
      >
        ${texts.analysePosition}
      </button>
      <button
        @click=${() => {
          this.fire("cancel");
        }}
      >
        ${common.cancel}
      </button>
    `;
  }

  private tool({ name, title, isInstant = false }: Tool): TemplateResult {
    if (isInstant)
      return html`<button
        @click=${() => {
          this.fire("act", name);
        }}
      >
        ${title}
      </button>`;
    return html`<button
      aria-pressed=${name === this.chosen}
      @click=${() => {
        this.fire("tool", name);
      }}
    >
      ${title}
    </button>`;
  }

  private readonly onText = (event: Event): void => {
    this.fire("text", (event.target as HTMLTextAreaElement).value);
  };

  private fire(name: string, detail = ""): void {
    this.dispatchEvent(new CustomEvent<string>(name, { detail }));
  }
}
