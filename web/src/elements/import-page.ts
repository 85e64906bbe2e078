// <import-page>: imports the record of a game that was played elsewhere, as text or as a file, and opens its analysis, or
// opens the record on a board, as it does at once with one in the address. The server detects the format and reports
// errors in the text.
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import * as texts from "#texts/import";
import { importRecord } from "../api/analysis";
import { getGame, getRules } from "../api/client";
import { ApiError, sentence } from "../api/http";
import type { GameRules } from "../api/shapes";
import { importedRow, type GameRow } from "../state/game-rows";
import { boardPath } from "../state/board-address";
import { forgetImport, importedGames, keepImport } from "../state/imports";
import { boardOf, treeIn } from "../state/records";
import { looksLikeTree } from "../state/variations-file";
import { analysisPath, goTo, replaceWith, type GivenRecord } from "../state/route";
import { gameTitle, tabTitle } from "../state/labels";
import { controls } from "./controls";
import "./game-list";

/** The largest record that the server accepts. */
const MOST_BYTES = 524_288;

const EXAMPLE = `[Variant "standard"]
[Board "5x5"]
[Result "*"]

1. Cb5.>d4 Cd5 2. Cc5 *`;

interface Taken {
  readonly page: "analysis" | "board";
  readonly path: string;
  readonly notes: readonly string[];
}

@customElement("import-page")
export class ImportPage extends LitElement {
  static override styles = [
    controls,
    css`
      :host {
        display: block;
        max-width: 680px;
        margin: 0 auto;
      }
      game-list {
        margin-top: 14px;
      }
      h1 {
        margin: 0;
        font-size: 1.3rem;
      }
      p {
        margin: 0;
      }
      .card {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 14px;
      }
      .card.boards {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        margin-top: 14px;
      }
      .card.over {
        border-color: var(--accent);
        box-shadow: 0 0 0 2px var(--accent);
      }
      textarea {
        width: 100%;
        min-height: 260px;
        padding: 10px 12px;
        border: 1px solid var(--line);
        border-radius: var(--radius);
        background: var(--paper);
        color: inherit;
        font:
          0.9rem/1.5 ui-monospace,
          "Liberation Mono",
          monospace;
        resize: vertical;
      }
      .problem::first-letter {
        text-transform: uppercase;
      }
      .note {
        color: var(--ink-soft);
        font-size: 0.9rem;
      }
      .row {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 10px;
      }
      ul {
        margin: 0;
        padding-left: 1.2em;
      }
    `,
  ];

  /** The record in the address. */
  @property({ attribute: false }) record: GivenRecord | null = null;
  @state() private text = "";
  @state() private problem = "";
  /** How many moves before an illegal one can be analysed. */
  @state() private legalPlies = 0;
  @state() private isBusy = false;
  @state() private earlier: readonly GameRow[] = [];
  /** The games that are offered. */
  @state() private boards: readonly GameRules[] = [];
  /** Whether a file is being dragged over the page. */
  @state() private isOver = false;
  /** What the server has ignored or assumed, and the address of the analysis or the board. */
  @state() private taken: Taken | null = null;

  override render(): TemplateResult {
    return html`
      <div
        class="card ${this.isOver ? "over" : ""}"
        @dragover=${this.onDragOver}
        @dragleave=${this.onDragLeave}
        @drop=${this.onDrop}
      >
        <h1>${texts.heading}</h1>
        ${this.taken === null ? this.form() : this.receipt(this.taken)}
      </div>
      ${
        this.boards.length === 0
          ? nothing
          : html`<p class="card boards">
              ${texts.otherwise}
              ${this.boards.map((rules) => html` <a class="button" href=${boardPath(rules.game)}>${gameTitle(rules)}</a>`)}
            </p>`
      }
      ${
        this.earlier.length === 0
          ? nothing
          : html`<game-list class="card" heading=${texts.earlier} .rows=${this.earlier}></game-list>`
      }
    `;
  }

  /** Requests what was imported earlier; games that are deleted by now are forgotten. */
  private async loadEarlier(): Promise<void> {
    this.boards = await getRules();
    const rules = new Map(this.boards.map((row) => [row.game, row]));
    const found = await Promise.all(
      importedGames().map(async (gameId) => {
        try {
          return importedRow(await getGame(gameId), rules);
        } catch (error) {
          if (error instanceof ApiError && error.code === "not-found") forgetImport(gameId);
          return null;
        }
      }),
    );
    this.earlier = found.filter((row) => row !== null);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = tabTitle(texts.heading);
    if (this.record !== null) {
      this.text = this.record.text;
      void this.study(this.record.format, "end");
    }
    this.loadEarlier().catch(() => {
      this.earlier = []; // The form works without the lists.
    });
  }

  override disconnectedCallback(): void {
    document.title = "Plyhouse";
    super.disconnectedCallback();
  }

  private form(): TemplateResult {
    return html`
      <p class="note">${texts.instructions}</p>
      <textarea
        aria-label=${texts.record}
        spellcheck="false"
        autocomplete="off"
        placeholder=${EXAMPLE}
        .value=${this.text}
        @input=${this.onInput}
      ></textarea>
      <p class="problem" role="alert" ?hidden=${this.problem === ""}>${this.problem}</p>
      <div class="row">
        <button
          class="primary"
          ?disabled=${this.isBusy || this.text.trim() === ""}
          @click=${() => this.send()}
        >
          ${texts.analyse}
        </button>
        <button
          ?disabled=${this.isBusy || this.text.trim() === ""}
          @click=${() => this.study("auto", "start")}
        >
          ${texts.openOnBoard}
        </button>
        ${this.legalPlies > 0 ? this.prefixButton(this.legalPlies) : nothing}
        <label class="file">
          ${texts.chooseFile}
          <input type="file" @change=${this.onFile} />
        </label>
      </div>
    `;
  }

  private prefixButton(plies: number): TemplateResult {
    return html`
      <button ?disabled=${this.isBusy} @click=${() => this.send(plies)}>${texts.analyseFirst(plies)}</button>
    `;
  }

  private receipt({ page, path, notes }: Taken): TemplateResult {
    return html`
      <p>${texts.notes}</p>
      <ul>
        ${notes.map((note) => html`<li>${note}</li>`)}
      </ul>
      <div class="row"><a class="button" href=${path}>${texts.openOn[page]}</a></div>
    `;
  }

  /** Imports the record, or its first `plies` moves. */
  private async send(plies?: number): Promise<void> {
    await this.openAfter(async () => {
      const { gameId, notes } = await importRecord(this.text, plies);
      keepImport(gameId);
      return { page: "analysis", path: analysisPath(gameId, 0), notes };
    });
  }

  /** Opens the record with its variations on a board; nothing is stored. */
  private async study(format: string, at: "start" | "end"): Promise<void> {
    await this.openAfter(async () => {
      const { written, notes } = await treeIn(this.text, format);
      return { page: "board", path: boardOf(written, at), notes };
    });
  }

  private async openAfter(work: () => Promise<Taken>): Promise<void> {
    this.isBusy = true;
    this.forgetProblem();
    try {
      const taken = await work();
      if (!this.isConnected) return;
      if (taken.notes.length > 0) this.taken = taken;
      else if (this.record === null) goTo(taken.path);
      else replaceWith(taken.path); // With the record in its address, this page would open the board again.
    } catch (error) {
      if (this.record !== null && error instanceof ApiError && error.code === "unsupported") {
        this.text = ""; // What the address has is no record, but perhaps from where a link was followed.
        return;
      }
      this.problem = sentence(error);
      this.legalPlies = error instanceof ApiError ? (error.ply ?? 0) : 0;
    } finally {
      this.isBusy = false;
    }
  }

  private forgetProblem(): void {
    this.problem = "";
    this.legalPlies = 0;
  }

  private readonly onInput = (event: Event): void => {
    this.text = (event.target as HTMLTextAreaElement).value;
    this.forgetProblem();
  };

  private readonly onFile = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    void this.take(input.files?.[0]);
    input.value = "";
  };

  private readonly onDragOver = (event: DragEvent): void => {
    event.preventDefault();
    this.isOver = true;
  };

  private readonly onDragLeave = (): void => {
    this.isOver = false;
  };

  private readonly onDrop = (event: DragEvent): void => {
    event.preventDefault();
    this.isOver = false;
    void this.take(event.dataTransfer?.files[0]);
  };

  private async take(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    if (file.size > MOST_BYTES) {
      this.problem = texts.tooLarge(file.name, MOST_BYTES / 1024);
      return;
    }
    this.text = await file.text();
    await (looksLikeTree(this.text) ? this.study("auto", "start") : this.send());
  }
}
