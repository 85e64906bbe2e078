// <confirm-button>: a button that asks for confirmation in place before it fires "confirm".
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { controls } from "./controls";

@customElement("confirm-button")
export class ConfirmButton extends LitElement {
  static override styles = [
    controls,
    css`
      :host {
        display: inline-flex;
        gap: 8px;
      }
      button {
        flex: 1;
        padding-left: 8px;
        padding-right: 8px;
        white-space: nowrap;
      }
    `,
  ];

  @property() label = "";
  @property() question = "";
  /** The label of the button that cancels. */
  @property() refusal = "";
  @property({ type: Boolean }) disabled = false;
  /** While it asks, the layout gives it more room. */
  @property({ type: Boolean, attribute: "asking", reflect: true }) isAsking = false;

  override render(): TemplateResult {
    if (!this.isAsking || this.disabled) {
      return html`<button ?disabled=${this.disabled} @click=${this.ask}>${this.label}</button>`;
    }
    return html`
      <button class="danger" @click=${this.confirm}>${this.question}</button>
      <button @click=${this.leave}>${this.refusal}</button>
    `;
  }

  private readonly ask = async (): Promise<void> => {
    this.isAsking = true;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLButtonElement>(".danger")?.focus();
  };

  private readonly leave = async (): Promise<void> => {
    this.isAsking = false;
    await this.updateComplete;
    this.renderRoot.querySelector("button")?.focus();
  };

  /** The event is fired first, so that the page can see where the focus was. */
  private readonly confirm = (): void => {
    this.dispatchEvent(new CustomEvent("confirm"));
    this.isAsking = false;
  };
}
