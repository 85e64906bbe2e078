// <move-tree>: the moves of a tree of variations, the main line in rows and the variations below the move they replace.
// Variations that the shown place is not in are cut short. It fires "look" with the path to show.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import * as texts from "#texts/moves";
import { lineEnd, sibling, START, type Branch, type Path, type Place } from "../state/variations";
import { controls } from "./controls";
import { icons } from "./icons";

/** How many moves are shown of a variation that the shown place is not in, and how many variations within it. */
const CUT = 4;
const CUT_NESTED = 2;

@customElement("move-tree")
export class MoveTree extends LitElement {
  static override styles = [
    controls,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        grid-template-rows: minmax(0, 1fr) auto;
        gap: 8px;
      }
      .moves {
        overflow-y: auto;
        padding: 4px 0;
        border-top: 1px solid var(--line);
        border-bottom: 1px solid var(--line);
        line-height: 1.9;
      }
      .line {
        padding: 2px 0 2px 8px;
        border-left: 2px solid var(--line);
        margin-left: 8px;
        font-size: 0.92rem;
        /* A tree may have thousands of moves, of which few are in view. */
        content-visibility: auto;
        contain-intrinsic-size: auto 34px;
      }
      .number,
      .comment,
      .none {
        color: var(--ink-soft);
        font-variant-numeric: tabular-nums;
      }
      .number {
        margin-left: 6px;
        font-size: 0.85rem;
      }
      .comment {
        padding: 0 4px;
        overflow-wrap: anywhere;
        white-space: pre-wrap;
      }
      .none {
        margin: 0;
        padding: 8px;
      }
      .move {
        min-height: 28px;
        padding: 1px 6px;
        border: 0;
        border-radius: 6px;
        background: none;
      }
      .move:hover {
        background: var(--paper);
      }
      .move.shown {
        background: var(--accent);
        color: var(--accent-ink);
      }
      .whole {
        white-space: nowrap;
      }
      .main > .whole {
        font-weight: 600;
      }
      .walk {
        display: flex;
        gap: 6px;
      }
      .walk button {
        display: grid;
        flex: 1;
        place-items: center;
        min-height: 38px;
        padding: 2px;
      }
      .walk svg {
        width: 20px;
        height: 20px;
      }
      @media (pointer: coarse) {
        .walk button {
          min-height: var(--target);
        }
        .move {
          min-height: 36px;
        }
      }
    `,
  ];

  @property({ attribute: false }) place: Place = { root: START, path: [] };
  /** How many moves make a round. */
  @property({ type: Number }) seats = 2;

  override render(): TemplateResult {
    const { root, path } = this.place;
    const end = lineEnd(this.place);
    return html`
      <div class="moves" role="group" aria-label=${texts.variations} tabindex="-1">
        ${root.comment === "" ? null : html`<span class="comment">${root.comment}</span>`}
        ${
          root.next.length === 0
            ? html`<p class="none">${texts.makeMove}</p>`
            : html`<div class="main">${this.follow(root, [], 0)}</div>`
        }
      </div>
      <div class="walk" role="group" aria-label=${texts.navigation}>
        ${this.step(texts.firstPosition, icons.first, [], path.length === 0)}
        ${this.step(texts.previousMove, icons.back, path.slice(0, -1), path.length === 0)}
        ${this.step(texts.nextMove, icons.forward, end.slice(0, path.length + 1), end.length === path.length)}
        ${this.step(texts.endOfLine, icons.last, end, end.length === path.length)}
      </div>
    `;
  }

  /**
   * The moves after a branch along its first continuations, each followed by those that were tried instead. `away`: within
   * how many variations it is that the shown place is not in.
   */
  private follow(from: Branch, path: Path, away: number): TemplateResult[] {
    const drawn: TemplateResult[] = [];
    let [place, parent] = [path, from];
    let isAfterBreak = true;
    for (let count = 0; parent.next.length > 0; count++) {
      const [branch = START, ...others] = parent.next;
      const here = [...place, 0];
      if (away > 0 && count >= CUT) return [...drawn, this.rest(here)];
      drawn.push(this.move(branch, here, isAfterBreak));
      drawn.push(...others.map((other, index) => this.variation(other, [...place, index + 1], away)));
      isAfterBreak = others.length > 0 || branch.comment !== "";
      [place, parent] = [here, branch];
    }
    return drawn;
  }

  private variation(branch: Branch, path: Path, outside: number): TemplateResult {
    const isShown = path.every((index, depth) => this.place.path[depth] === index);
    const away = isShown ? 0 : outside + 1;
    if (away > CUT_NESTED) return html`<div class="line">${this.rest(path)}</div>`;
    return html`<div class="line">${this.move(branch, path, true)} ${this.follow(branch, path, away)}</div>`;
  }

  /** Stands for the end of a variation that is cut short. */
  private rest(path: Path): TemplateResult {
    return html`<button
      class="move"
      aria-label=${texts.goOn}
      @click=${() => {
        this.look(path);
      }}
    >
      …
    </button>`;
  }

  private move({ move, glyph, comment }: Branch, path: Path, isAfterBreak: boolean): TemplateResult {
    const shown = this.place.path;
    const isShown = path.length === shown.length && path.every((index, depth) => shown[depth] === index);
    const isFirst = (path.length - 1) % this.seats === 0;
    const number = Math.ceil(path.length / this.seats);
    const isNumbered = isFirst || isAfterBreak;
    return html`<span class="whole"
        >${isNumbered ? html`<span class="number">${number}${isFirst ? "." : "…"}</span>` : null}<button
          class="move ${isShown ? "shown" : ""}"
          aria-current=${isShown ? "step" : "false"}
          @click=${() => {
            this.look(path);
          }}
        >
          ${move}${glyph ?? ""}
        </button></span
      >${comment === "" ? null : html`<span class="comment">${comment}</span>`}`;
  }

  private step(label: string, icon: TemplateResult, path: Path, disabled: boolean): TemplateResult {
    return html`<button
      aria-label=${label}
      title=${label}
      ?disabled=${disabled}
      @click=${() => {
        this.look(path);
      }}
    >
      ${icon}
    </button>`;
  }

  private look(path: Path): void {
    this.dispatchEvent(new CustomEvent<Path>("look", { detail: path }));
  }

  /** Scrolls the shown move into view; only the list scrolls, never the page. */
  protected override updated(): void {
    const list = this.renderRoot.querySelector<HTMLElement>(".moves");
    const shown = list?.querySelector<HTMLElement>(".shown");
    if (list == null) return;
    if (shown == null) list.scrollTop = 0;
    else {
      const [at, room] = [shown.getBoundingClientRect(), list.getBoundingClientRect()];
      if (at.top < room.top || at.bottom > room.bottom)
        list.scrollTop += at.top - room.top - (room.height - at.height) / 2;
    }
  }
}

/** The path for a key of the page; null for other keys. */
export function pathForKey(key: string, place: Place): Path | null {
  const { path } = place;
  switch (key) {
    case "ArrowLeft":
      return path.slice(0, -1);
    case "ArrowRight":
      return lineEnd(place).slice(0, path.length + 1);
    case "ArrowUp":
      return sibling(place, -1);
    case "ArrowDown":
      return sibling(place, 1);
    case "Home":
      return [];
    case "End":
      return lineEnd(place);
    default:
      return null;
  }
}
