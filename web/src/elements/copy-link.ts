// <copy-link>: a button that copies an address, or shows it if the browser does not allow copying.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import * as texts from "#texts/links";
import { controls } from "./controls";

type Outcome = "none" | "copied" | "refused";

@customElement("copy-link")
export class CopyLink extends LitElement {
  static override styles = [
    controls,
    css`
      :host {
        display: inline-flex;
        flex-wrap: wrap;
        gap: 8px;
      }
      button {
        min-height: 34px;
        padding: 2px 10px;
        font-size: 0.9rem;
      }
      @media (pointer: coarse) {
        button {
          min-height: var(--target);
        }
      }
      input {
        flex: 1 1 220px;
        min-width: 0;
      }
    `,
  ];

  @property() link = "";
  @property() label = texts.copyLink;
  @state() private outcome: Outcome = "none";

  override render(): TemplateResult {
    return html`
      <button @click=${this.copy}>${this.outcome === "copied" ? texts.copied : this.label}</button>
      ${
        this.outcome === "refused"
          ? html`<input
              type="text"
              readonly
              aria-label=${texts.link}
              .value=${this.link}
              @focus=${selectAll}
            />`
          : null
      }
    `;
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("link") && this.outcome === "copied") this.outcome = "none";
  }

  /** Browsers offer the clipboard on secure pages only; elsewhere the link is selected for manual copying. */
  private readonly copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(this.link);
      this.outcome = "copied";
    } catch {
      this.outcome = "refused";
      await this.updateComplete;
      this.renderRoot.querySelector("input")?.focus();
    }
  };
}

function selectAll(event: FocusEvent): void {
  (event.target as HTMLInputElement).select();
}
