// <game-invitation>: the link with which a friend can join, a button that copies it, and a picture for a phone.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import * as texts from "#texts/links";
import { controls } from "./controls";
import "./qr-code";

@customElement("game-invitation")
export class GameInvitation extends LitElement {
  static override styles = [
    controls,
    css`
      p {
        margin: 0 0 6px;
      }
      div {
        display: flex;
        gap: 8px;
      }
      input {
        flex: 1;
        min-width: 0;
      }
      summary {
        width: fit-content;
        padding: 8px 0;
        color: var(--ink-soft);
        font-size: 0.9rem;
        cursor: pointer;
      }
    `,
  ];

  @property() link = "";
  @state() private isCopied = false;
  @state() private isPictured = false;

  override render(): TemplateResult {
    return html`
      <p>${texts.invitation}</p>
      <div>
        <input type="text" readonly aria-label=${texts.friendsLink} .value=${this.link} @focus=${selectAll} />
        <button class="primary" @click=${this.copy}>${this.isCopied ? texts.copied : texts.copy}</button>
      </div>
      <details @toggle=${this.onToggle}>
        <summary>${texts.showCode}</summary>
        ${this.isPictured ? html`<qr-code .link=${this.link}></qr-code>` : null}
      </details>
    `;
  }

  private readonly onToggle = (event: Event): void => {
    this.isPictured = (event.target as HTMLDetailsElement).open;
  };

  /** Browsers offer the clipboard on secure pages only; elsewhere the link is selected for manual copying. */
  private readonly copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(this.link);
      this.isCopied = true;
    } catch {
      this.renderRoot.querySelector("input")?.focus();
    }
  };
}

function selectAll(event: FocusEvent): void {
  (event.target as HTMLInputElement).select();
}
