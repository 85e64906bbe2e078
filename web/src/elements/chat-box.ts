// <chat-box>: the chat of a game, and a field for messages. It fires "say" with the text.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import type { ChatLine } from "../state/match";
import { controls } from "./controls";

const MAX_LENGTH = 280;

@customElement("chat-box")
export class ChatBox extends LitElement {
  static override styles = [
    controls,
    css`
      :host {
        display: grid;
        gap: 8px;
      }
      h2 {
        margin: 0;
        font-size: 0.95rem;
        font-weight: 650;
      }
      .note {
        color: var(--ink-soft);
        font-weight: 400;
      }
      .lines {
        max-height: 132px;
        margin: 0;
        padding: 0;
        overflow-y: auto;
        scrollbar-width: thin;
        list-style: none;
        font-size: 0.93rem;
        overflow-wrap: anywhere;
      }
      .name {
        font-weight: 650;
      }
      form {
        display: flex;
        gap: 8px;
      }
      input {
        flex: 1;
        min-width: 0;
      }
    `,
  ];

  @property({ attribute: false }) lines: readonly ChatLine[] = [];
  /** The id of this client's socket, which identifies its own messages. */
  @property() own = "";
  /** Who can read the messages. */
  @property() readers = "";
  @property({ type: Boolean }) isOff = false;
  @query("input") private readonly field!: HTMLInputElement;
  @query(".lines") private readonly list!: HTMLElement;

  override render(): TemplateResult {
    return html`
      <h2>Chat <span class="note">${this.readers}</span></h2>
      <ul class="lines" role="log" aria-label="Chat" tabindex="-1" ?hidden=${this.lines.length === 0}>
        ${this.lines.map(
          ({ senderId, senderName, text }) => html`
            <li><span class="name">${senderId === this.own ? "You" : senderName}:</span> ${text}</li>
          `,
        )}
      </ul>
      <form @submit=${this.say}>
        <input
          type="text"
          aria-label="Message"
          placeholder="Write a message"
          maxlength=${MAX_LENGTH}
          autocomplete="off"
          ?disabled=${this.isOff}
        />
        <button ?disabled=${this.isOff}>Send</button>
      </form>
    `;
  }

  private readonly say = (event: Event): void => {
    event.preventDefault();
    const text = this.field.value.trim();
    if (text === "") return;
    this.field.value = "";
    this.dispatchEvent(new CustomEvent<string>("say", { detail: text }));
  };

  protected override updated(changed: Map<string, unknown>): void {
    if (changed.has("lines")) this.list.scrollTop = this.list.scrollHeight;
  }
}
