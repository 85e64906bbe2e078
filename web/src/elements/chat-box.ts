// <chat-box>: the chat of a game, and a field for messages. It fires "say" with the text.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import * as labels from "#texts/labels";
import * as texts from "#texts/game";
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
        margin: 0;
        color: var(--ink-soft);
        font-size: 0.9rem;
      }
      .unread {
        position: fixed;
        z-index: 2;
        right: 12px;
        bottom: 12px;
        border-color: var(--accent);
        background: var(--accent);
        color: var(--accent-ink);
        font-weight: 600;
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
  /** The id of this client's socket, which identifies a spectator's own messages. */
  @property() own = "";
  /** The viewer's seat; null for spectators. */
  @property({ attribute: false }) seat: number | null = null;
  /** The names of the seats, which tell players of the same name apart. */
  @property({ attribute: false }) names: readonly string[] = [];
  /** Who can read the messages. */
  @property() readers = "";
  @property({ type: Boolean }) isOff = false;
  /** Whether the server has sent the messages of before. */
  @property({ type: Boolean }) isLoaded = false;
  /** Lines of others that nobody can have read here. */
  @state() private unread = 0;
  /** When the last line was written that the viewer has had on the screen; null until the first lines are known. */
  private readUntil: number | null = null;
  private isOnScreen = true;
  private readonly watcher = new IntersectionObserver(([entry]) => {
    this.isOnScreen = entry?.isIntersecting ?? true;
    if (this.isLoaded) this.countUnread();
  });
  @query("input") private readonly field!: HTMLInputElement;
  @query(".lines") private readonly list!: HTMLElement;

  override render(): TemplateResult {
    return html`
      ${
        this.unread === 0
          ? null
          : html`<button class="unread" @click=${this.show}>${texts.newMessages(this.unread)}</button>`
      }
      <h2>${texts.chat}</h2>
      <p class="note">${this.readers}</p>
      <ul class="lines" role="log" aria-label=${texts.chat} tabindex="-1" ?hidden=${this.lines.length === 0}>
        ${this.lines.map(
          (line) => html` <li><span class="name">${this.nameOf(line)}:</span> ${line.text}</li> `,
        )}
      </ul>
      <form @submit=${this.say}>
        <input
          type="text"
          aria-label=${texts.message}
          placeholder=${texts.writeMessage}
          maxlength=${MAX_LENGTH}
          autocomplete="off"
          ?disabled=${this.isOff}
        />
        <button ?disabled=${this.isOff}>${texts.send}</button>
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

  private nameOf(line: ChatLine): string {
    if (this.isOwn(line)) return labels.you;
    return line.seat === undefined ? line.senderName : (this.names[line.seat] ?? line.senderName);
  }

  private isOwn({ seat, senderId }: ChatLine): boolean {
    return senderId === this.own || (seat !== undefined && seat === this.seat);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.watcher.observe(this);
  }

  override disconnectedCallback(): void {
    this.watcher.disconnect();
    super.disconnectedCallback();
  }

  private readonly show = (): void => {
    this.scrollIntoView({ block: "center" });
  };

  private countUnread(): void {
    const last = this.lines.at(-1)?.timestamp ?? 0;
    this.readUntil = this.isOnScreen ? last : (this.readUntil ?? last);
    const since = this.readUntil;
    this.unread = this.lines.filter((line) => line.timestamp > since && !this.isOwn(line)).length;
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (this.isLoaded && (changed.has("lines") || changed.has("isLoaded"))) this.countUnread();
  }

  protected override updated(changed: Map<string, unknown>): void {
    if (changed.has("lines")) this.list.scrollTop = this.list.scrollHeight;
  }
}
