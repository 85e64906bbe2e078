// <board-page>: a board to try moves on, with the engine's lines for the position that is shown. state/board-study.ts has
// the variations and the move being made, state/live-analysis.ts the evaluations.
import { LitElement, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import * as common from "#texts/common";
import * as texts from "#texts/board";
import * as labels from "#texts/labels";
import * as importTexts from "#texts/import";
import type { Studied } from "../api/analysis";
import { sentence } from "../api/http";
import type { Bot } from "../api/shapes";
import { createBoard, dress, seatBelow, type Blocked, type BoardElement } from "../boards";
import { worthInLine } from "../state/analysis";
import { Analysts } from "../state/analysts";
import { boardPath } from "../state/board-address";
import type { Point } from "../boards/common/arrows";
import { BoardStudy } from "../state/board-study";
import type { EvalStatus } from "../state/evaluation";
import { pageKey } from "../state/browsing-keys";
import { basisText, capitalised, gameTitle, tabTitle, variantTitle } from "../state/labels";
import { LINES, LiveAnalysis } from "../state/live-analysis";
import { movesOf } from "../state/moves";
import { goTo, rulesPath } from "../state/route";
import { SetUpDraft } from "../state/set-up";
import { branchAt, departure, promoted, withNote, withoutBranch, type Path } from "../state/variations";
import { worthOf, type Worth } from "../state/worth";
import type { Look } from "./analysis-lines";
import { analysisPageStyles } from "./analysis-page-styles";
import { drawAnalysts } from "./analyst-choice";
import { boardPageStyles } from "./board-page-styles";
import { controls } from "./controls";
import { icons } from "./icons";
import { pathForKey } from "./move-tree";
import type { Note } from "./variation-tools";
import "./analysis-lines";
import "./copy-link";
import "./eval-bar";
import "./move-tree";
import "./opening-explorer";
import "./player-strip";
import "./set-up-tools";
import "./variation-tools";

/** Delay after the last step before the address changes: browsers limit how often that may happen. */
const REST_MS = 200;

@customElement("board-page")
export class BoardPage extends LitElement {
  static override styles = [controls, analysisPageStyles, boardPageStyles];

  @property({ attribute: false }) game = "";
  /** The fragment of the address at which it was opened. */
  @property({ attribute: false }) fragment = "";

  @state() private board: BoardElement | null = null;
  @state() private boardProblem = "";
  @state() private isFlipped = false;
  /** The position that is being set up; null while moves are tried. */
  @state() private draft: SetUpDraft | null = null;
  @state() private tool = "";
  private study!: BoardStudy;
  private live: LiveAnalysis | null = null;
  private analysts: Analysts | null = null;
  /** Why the chosen bot has not analysed the last position; empty if it has. */
  private failure = "";
  /** The moves of the position that is evaluated. */
  private evaluated: string | null = null;
  private restTimer: ReturnType<typeof setTimeout> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.study = new BoardStudy(this.game, this.onStudy);
    void this.open();
    window.addEventListener("keydown", this.onKey);
  }

  override disconnectedCallback(): void {
    window.removeEventListener("keydown", this.onKey);
    clearTimeout(this.restTimer);
    this.live?.close();
    this.study.close();
    document.title = "Plyhouse";
    super.disconnectedCallback();
  }

  private readonly onStudy = (): void => {
    this.requestUpdate();
    const { study, live } = this;
    const at = study.moves.join(" ");
    if (!this.isConnected || live === null || !study.isShown || at === this.evaluated) return;
    this.evaluated = at;
    live.look(study.moves);
    clearTimeout(this.restTimer);
    this.restTimer = setTimeout(() => {
      const address = new URL(study.path, location.origin);
      if (location.pathname === address.pathname) history.replaceState(null, "", address);
    }, REST_MS);
  };

  /** When a bot cannot be asked any more, the list is to say whether it has left. */
  private readonly onLive = (): void => {
    const { live, analysts } = this;
    const failure = live?.analyst == null ? "" : live.problem;
    if (failure !== "" && failure !== this.failure) void analysts?.load();
    this.failure = failure;
    this.requestUpdate();
  };

  private async open(): Promise<void> {
    const { study } = this;
    await study.open(this.fragment);
    const { start, rules } = study;
    if (start === null || rules === null || !this.isConnected) return;
    this.live = new LiveAnalysis(start, this.onLive);
    this.analysts = new Analysts(start, () => {
      this.requestUpdate();
    });
    if (!study.isUnassisted) void this.analysts.load();
    this.live.isOn = !study.isUnassisted;
    this.live.usual = rules.about.samples?.evaluation ?? this.live.usual;
    this.onStudy();
    try {
      this.board = this.listeningTo(await createBoard(start, { about: rules.about }));
    } catch (error) {
      this.boardProblem = sentence(error);
    }
  }

  private listeningTo(board: BoardElement): BoardElement {
    const { study } = this;
    board.addEventListener("action", (event) => {
      void study.stage((event as CustomEvent<string>).detail, board);
    });
    board.addEventListener("unstage", study.unstage);
    board.addEventListener("blocked", (event) => {
      void study.explain((event as CustomEvent<Blocked>).detail, board);
    });
    board.addEventListener("place", (event) => {
      this.draft?.use(this.tool, (event as CustomEvent<Point>).detail);
    });
    board.addEventListener("aim", () => {
      this.requestUpdate();
    });
    dress(this, board);
    return board;
  }

  // ---- events --------------------------------------------------------------------------------

  private readonly onKey = (event: KeyboardEvent): void => {
    const isOnBoard = this.board !== null && event.composedPath().includes(this.board);
    const path = isOnBoard || this.draft !== null ? null : pathForKey(pageKey(event) ?? "", this.study.place);
    if (path === null) return;
    event.preventDefault();
    void this.study.look(path);
  };

  private readonly onLook = (event: CustomEvent<Path>): void => {
    void this.study.look(event.detail);
  };

  private readonly onLine = ({ detail: { rank, depth } }: CustomEvent<Look>): void => {
    void this.study.play(this.studied?.lines[rank]?.pv.slice(0, depth) ?? []);
  };

  private readonly onOpening = (event: CustomEvent<string>): void => {
    void this.study.play([event.detail]);
  };

  private readonly onNote = (event: CustomEvent<Note>): void => {
    void this.study.turnTo(withNote(this.study.place, event.detail));
  };

  private readonly onPromote = (): void => {
    void this.study.turnTo(promoted(this.study.place));
  };

  private readonly onRemove = (): void => {
    void this.study.turnTo(withoutBranch(this.study.place));
  };

  private readonly onSave = async ({ detail: format }: CustomEvent<string>): Promise<void> => {
    const text = format === "" ? this.study.written : await this.study.writtenAs(format);
    if (text === null) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = `${this.game}-variations.${format || "json"}`;
    link.click();
    URL.revokeObjectURL(link.href);
  };

  private readonly onFile = async (event: CustomEvent<string>): Promise<void> => {
    const elsewhere = await this.study.read(event.detail);
    if (elsewhere !== null && this.isConnected) goTo(elsewhere);
  };

  private readonly onSwitch = (event: Event): void => {
    this.live?.switch((event.target as HTMLInputElement).checked);
  };

  private readonly onLines = (event: Event): void => {
    this.live?.withLines(Number((event.target as HTMLSelectElement).value));
  };

  private readonly onAnalyst = (bot: Bot | null): void => {
    this.live?.by(bot);
  };

  // ---- setting up ----------------------------------------------------------------------------

  private readonly openSetUp = (): void => {
    const { study, board } = this;
    const { start, position } = study;
    if (start === null || position === null) return;
    this.draft = new SetUpDraft(start, position, board?.setUp, () => {
      this.requestUpdate();
    });
  };

  private readonly onTool = (event: CustomEvent<string>): void => {
    this.tool = event.detail;
  };

  private readonly onAct = (event: CustomEvent<string>): void => {
    this.draft?.use(event.detail, null);
  };

  private readonly onText = (event: CustomEvent<string>): void => {
    this.draft?.read(event.detail);
  };

  private readonly onSetUp = async (): Promise<void> => {
    const { draft } = this;
    const start = (await draft?.settled()) ?? null;
    if (start === null || draft !== this.draft) return;
    const { game, variant, config } = start;
    this.draft = null;
    goTo(boardPath(game, { variant, config }));
  };

  private readonly closeSetUp = (): void => {
    this.draft = null;
  };

  private setUpCard({ start, position, problem }: SetUpDraft): TemplateResult {
    return html`<div class="card">
      <set-up-tools
        .tools=${this.board?.setUp?.tools(position.view) ?? []}
        .chosen=${this.tool}
        .text=${JSON.stringify(start.config)}
        .problem=${problem}
        @tool=${this.onTool}
        @act=${this.onAct}
        @text=${this.onText}
        @done=${this.onSetUp}
        @cancel=${this.closeSetUp}
      ></set-up-tools>
    </div>`;
  }

  // ---- drawing -------------------------------------------------------------------------------

  protected override willUpdate(): void {
    const { board, study, draft } = this;
    const { position, rules } = study;
    if (rules !== null) document.title = tabTitle(texts.boardOf(gameTitle(rules)));
    if (board === null || position === null) return;
    if (draft !== null) {
      const { view } = draft.position;
      const tools = board.setUp?.tools(view).filter(({ isInstant = false }) => !isInstant) ?? [];
      if (!tools.some(({ name }) => name === this.tool)) this.tool = tools[0]?.name ?? "";
      const nothing = { legal: [], aimed: null, staged: [], lastMove: null, hint: null, seat: null };
      const tool = board.setUp === undefined ? null : this.tool;
      Object.assign(board, { view, tool, ...nothing, isFlipped: false, below: 0 });
      return;
    }
    board.tool = null;
    board.view = position.view;
    board.legal = study.isBusy || !study.isShown ? [] : study.legal;
    if (!board.legal.includes(board.aimed ?? "")) board.aimed = null;
    board.staged = study.staged;
    board.lastMove = movesOf(position.history).at(-1) ?? null;
    const best = this.studied?.bestMove ?? "";
    board.hint = study.staged.length === 0 && best !== "" ? best : null;
    board.seat = position.status === "playing" ? study.seat : null;
    board.isFlipped = this.isFlipped;
    board.below = this.below;
  }

  private get seats(): number {
    return this.study.position?.clocks.length ?? 2;
  }

  private get below(): number {
    return seatBelow(this.seats, this.isFlipped);
  }

  override render(): TemplateResult {
    const { study, below } = this;
    const { rules, position, problem } = study;
    if (rules === null || position === null) return problem === "" ? opening : failed(problem);
    if (this.board === null && this.boardProblem === "") return opening;
    const above = Array.from({ length: this.seats }, (_, seat) => seat).filter((seat) => seat !== below);
    return html`
      <h1 class="unseen">${texts.boardOf(gameTitle(rules))}</h1>
      <section class="table" aria-label=${common.board}>
        ${above.map((seat) => this.player(seat))}
        <div class="field">
          <eval-bar
            .status=${this.barStatus}
            .worth=${this.worth}
            .basis=${this.studied}
            .below=${below}
          ></eval-bar>
          <div class="board">${this.board ?? this.boardProblem}</div>
        </div>
        ${this.player(below)}
        <div class="making">${this.draft === null ? this.making() : null}</div>
      </section>
      <div class="side">
        ${this.draft === null ? html`${this.engineCard()} ${this.openings()} ${this.treeCard()}` : this.setUpCard(this.draft)}
      </div>
      <p class="unseen" aria-live="polite">${this.announcement()}</p>
    `;
  }

  private readonly spell = (move: string): string => this.board?.spell(move) ?? move;

  /** The last move on the board in words, for screen readers. */
  private announcement(): string {
    const move = movesOf(this.study.position?.history ?? []).at(-1);
    return move === undefined ? "" : this.spell(move);
  }

  private player(seat: number): TemplateResult {
    const { rules } = this.study;
    const position = this.draft?.position ?? this.study.position;
    const mover = this.draft === null ? this.study.seat : position?.toAct[0];
    return html`<player-strip
      .name=${capitalised(rules?.about.seats?.[seat] ?? labels.player(seat + 1))}
      .seat=${seat}
      .isOneOfMany=${this.seats > 2}
      .isToMove=${position?.status === "playing" && mover === seat}
    ></player-strip>`;
  }

  /** What completes the move being made, or is wrong. */
  private making(): TemplateResult {
    const { board, study } = this;
    const { staged, parts, canFinish, isBusy, problem } = study;
    const aimed = board?.aimed ?? null;
    return html`
      <p class="problem" role="alert">${problem}</p>
      ${
        board === null || aimed === null
          ? null
          : html`<button class="primary" @click=${() => study.stage(aimed, board)}>
              ${common.confirmMove(board.spell(aimed))}
            </button>`
      }
      ${
        staged.length > 0 || parts.length > 0
          ? html`<button ?disabled=${isBusy} @click=${study.unstage}>${common.undo}</button>`
          : null
      }
      ${
        board !== null && canFinish && (study.legal.length > 0 || staged.length > 0)
          ? html`<button ?disabled=${isBusy} @click=${() => study.finish(board)}>
              ${staged.length > 0 ? common.finishTurn : common.pass}
            </button>`
          : null
      }
    `;
  }

  /** What the engine has found about the position on the board; null if nothing, or it is switched off. */
  private get studied(): Studied | null {
    const { live, study } = this;
    return live?.isOn === true && study.isShown && this.draft === null ? live.studied : null;
  }

  private get worth(): Worth | null {
    const { studied } = this;
    return studied === null ? null : worthOf(studied);
  }

  private get barStatus(): EvalStatus {
    if (this.live?.isOn !== true || this.draft !== null) return "off";
    if (this.worth !== null) return "live";
    return this.live.analyst !== null && this.live.problem !== "" ? "off" : "pending";
  }

  private engineCard(): TemplateResult {
    const { live, studied } = this;
    if (this.study.isUnassisted) return html`<p class="card note">${texts.unassisted}</p>`;
    return html`<div class="card">
      <div class="engine">
        <label
          ><input type="checkbox" .checked=${live?.isOn ?? false} @change=${this.onSwitch} />
          ${texts.engine}</label
        >
        <label class="lines"
          >${texts.lines}
          <select @change=${this.onLines}>
            ${LINES.map((count) => html`<option ?selected=${count === live?.lines}>${count}</option>`)}
          </select>
        </label>
        ${drawAnalysts(this.analysts, live?.analyst ?? null, this.onAnalyst)}
        <span class="note depth">${this.depthText()}</span>
      </div>
      ${
        live?.isOn === true
          ? html`<analysis-lines
              .lines=${studied?.lines ?? []}
              .worths=${studied?.lines.map((_, rank) => worthInLine(studied, rank)) ?? []}
              .seat=${this.seats > 2 ? (studied?.toAct[0] ?? 0) : 0}
              .absence=${this.absence(studied)}
              .spell=${this.spell}
              @look=${this.onLine}
            ></analysis-lines>`
          : null
      }
      <p class="problem" role="alert" ?hidden=${(live?.problem ?? "") === ""}>${live?.problem}</p>
    </div>`;
  }

  /** What stands in place of lines. */
  private absence(studied: Studied | null): string {
    if (studied === null) return "";
    if (studied.bestMove === "") return texts.gameOver;
    return texts.noLines(studied.source, this.spell(studied.bestMove));
  }

  private openings(): TemplateResult | null {
    const { study } = this;
    if (study.isUnassisted) return null;
    return html`<opening-explorer
      .start=${study.start}
      .moves=${study.moves}
      .rules=${study.rules}
      .spell=${this.spell}
      @play=${this.onOpening}
    ></opening-explorer>`;
  }

  private depthText(): string {
    const { live } = this;
    if (live?.isOn !== true) return "";
    return [basisText(this.studied), live.isThinking ? common.thinking : ""]
      .filter((part) => part !== "")
      .join(", ");
  }

  private treeCard(): TemplateResult {
    const { study } = this;
    const { rules, start, place } = study;
    const branch = branchAt(place);
    const isSimultaneous = rules?.about.simultaneous === true;
    return html`<div class="card">
      <move-tree .place=${place} .seats=${isSimultaneous ? 1 : this.seats} @look=${this.onLook}></move-tree>
      <variation-tools
        .branch=${branch}
        .isStart=${place.path.length === 0}
        .isEmpty=${place.root.next.length === 0}
        .isMain=${departure(place.path) === 0}
        .formats=${rules?.variationFormats ?? []}
        @note=${this.onNote}
        @promote=${this.onPromote}
        @remove=${this.onRemove}
        @save=${this.onSave}
        @file=${this.onFile}
      ></variation-tools>
      <div class="tools">
        <button @click=${this.flip}>${icons.flip} ${common.flip}</button>
        ${
          study.isUnassisted ? null : html`<button @click=${this.openSetUp}>${texts.setUp}</button>` // It leads to an engine.
        }
        <copy-link .link=${location.origin + study.path}></copy-link>
        <p class="note">
          ${rules === null ? "" : gameTitle(rules)}, ${variantTitle(rules?.about, start?.variant ?? "")}.
          <a href=${rulesPath(this.game)}>${texts.rules}</a>
        </p>
      </div>
    </div>`;
  }

  private readonly flip = (): void => {
    this.isFlipped = !this.isFlipped;
  };
}

const opening = html`<p class="note">${texts.loading}</p>`;

function failed(problem: string): TemplateResult {
  return html`<div class="card failed">
    <p class="problem" role="alert">${problem}</p>
    <a href="/analysis">${importTexts.analyseRecord}</a>
  </div>`;
}
