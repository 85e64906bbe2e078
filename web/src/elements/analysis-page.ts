// <analysis-page>: one game with its analysis. Combines the parts; state/study.ts has the cursor, and
// state/analysis-session.ts the results.
import { LitElement, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import * as common from "#texts/common";
import * as texts from "#texts/analysis";
import * as mistakes from "#texts/mistakes";
import * as importTexts from "#texts/import";
import { recordPath, type Judgement, type Line, type Studied } from "../api/analysis";
import { sentence } from "../api/http";
import type { Game } from "../api/shapes";
import { createBoard, dress, seatBelow, type BoardElement } from "../boards";
import {
  isOver,
  judgementsBySeat,
  judgementsOf,
  mixtureOf,
  nextJudged,
  worthInLine,
} from "../state/analysis";
import { AnalysisSession, samplesOf, type Depth } from "../state/analysis-session";
import { boardPath } from "../state/board-address";
import { atPly, movesInLine, stepOf, walk, type Cursor } from "../state/cursor";
import type { Basis, EvalStatus } from "../state/evaluation";
import { pageKey } from "../state/browsing-keys";
import { mistakesOf, type Mistake } from "../state/mistakes";
import { moversOf, movesOf } from "../state/moves";
import { analysisPath, gamePath } from "../state/route";
import { onceAFrame } from "../state/once-a-frame";
import { Study } from "../state/study";
import { worthOf, type Worth } from "../state/worth";
import { gameLine, playerName, resultText, tabTitle } from "../state/labels";
import type { Look } from "./analysis-lines";
import { analysisPageStyles } from "./analysis-page-styles";
import type { Seek } from "./analysis-summary";
import { controls } from "./controls";
import { icons } from "./icons";
import "./analysis-lines";
import "./analysis-status";
import "./analysis-summary";
import "./copy-link";
import "./eval-bar";
import "./eval-graph";
import "./mistakes-view";
import "./move-list";
import "./move-policies";
import "./player-strip";

/** Delay after the last step before the address changes: browsers limit how often that may happen. */
const REST_MS = 200;

@customElement("analysis-page")
export class AnalysisPage extends LitElement {
  static override styles = [controls, analysisPageStyles];

  @property({ attribute: false }) gameId = "";
  /** The ply at which to open the game; null for its end. */
  @property({ attribute: false }) ply: number | null = null;

  @state() private board: BoardElement | null = null;
  @state() private boardProblem = "";
  /** Set with the board, whose words the move list shows. */
  private spell: ((move: string) => string) | null = null;
  @state() private isFlipped = false;
  /** The seat whose mistakes are being learnt from; null while the analysis is shown. */
  @state() private learner: number | null = null;
  private study!: Study;
  private analysis!: AnalysisSession;
  private judgements: ReadonlyMap<number, Judgement> = new Map();
  private partJudgements: ReadonlyMap<number, ReadonlyMap<number, Judgement>> = new Map();
  private restTimer: ReturnType<typeof setTimeout> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    const update = (): void => {
      this.requestUpdate();
    };
    this.study = new Study(this.gameId, update);
    // Hundreds of positions can come at once.
    const onResults = onceAFrame(() => {
      this.judgements = judgementsOf(this.analysis.state.positions);
      this.partJudgements = judgementsBySeat(this.analysis.state.positions);
      update();
    });
    this.analysis = new AnalysisSession(this.gameId, onResults);
    void this.open();
    window.addEventListener("keydown", this.onKey);
  }

  override disconnectedCallback(): void {
    window.removeEventListener("keydown", this.onKey);
    clearTimeout(this.restTimer);
    this.analysis.close();
    this.study.close();
    document.title = "Plyhouse";
    super.disconnectedCallback();
  }

  private async open(): Promise<void> {
    await this.study.open(this.ply);
    const { game } = this.study;
    if (game === null || !this.isConnected) return;
    this.analysis.usual = this.study.usualSamples;
    this.analysis.start("normal", this.study.cursor.ply);
    try {
      const board = await createBoard(game, { about: this.study.about });
      this.spell = (move) => board.spell(move);
      this.board = board;
      dress(this, board);
    } catch (error) {
      this.boardProblem = sentence(error);
    }
  }

  // ---- navigation ----------------------------------------------------------------------------

  /** The results at the cursor's ply, if available. */
  private get studied(): Studied | undefined {
    return this.analysis.state.positions.get(this.study.cursor.ply);
  }

  private get lines(): readonly Line[] {
    return this.studied?.lines ?? [];
  }

  private look(cursor: Cursor): void {
    void this.study.look(cursor, this.lines);
    clearTimeout(this.restTimer);
    this.restTimer = setTimeout(() => {
      history.replaceState(null, "", analysisPath(this.gameId, cursor.ply));
      void this.analysis.preview(cursor.ply);
    }, REST_MS);
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    const step = stepOf(pageKey(event) ?? "");
    if (step === null || this.study.game === null || this.learner !== null) return;
    event.preventDefault();
    this.look(walk(this.study.cursor, step, this.study.last, this.lines));
  };

  private readonly onBrowse = (event: CustomEvent<number>): void => {
    this.look(atPly(event.detail, this.study.last));
  };

  private readonly onLook = (event: CustomEvent<Look>): void => {
    this.look({ ply: this.study.cursor.ply, line: event.detail });
  };

  private readonly onSeek = ({ detail: { seat, judgement } }: CustomEvent<Seek>): void => {
    const { positions } = this.analysis.state;
    const ply = nextJudged(positions, seat, judgement, this.study.cursor.ply);
    if (ply !== null) this.look(atPly(ply, this.study.last));
  };

  private readonly onDepth = (event: CustomEvent<Depth>): void => {
    this.analysis.start(event.detail, this.study.cursor.ply);
  };

  private readonly flip = (): void => {
    this.isFlipped = !this.isFlipped;
  };

  // ---- drawing -------------------------------------------------------------------------------

  protected override willUpdate(): void {
    const { game, shown, cursor, about } = this.study;
    if (game === null || shown === null || this.board === null) return;
    document.title = tabTitle(texts.analysisOf(gameLine(about, game)));
    const isInGame = cursor.line === null && shown.ply === cursor.ply;
    this.board.view = shown.view;
    this.board.lastMove = movesOf(shown.history).at(-1) ?? null;
    const best = this.studied?.bestMove ?? "";
    this.board.hint = isInGame && best !== "" ? best : null;
    this.board.isFlipped = this.isFlipped;
    this.board.below = this.below(game);
  }

  private below({ seats }: Game): number {
    return seatBelow(seats.length, this.isFlipped);
  }

  override render(): TemplateResult {
    const { game, problem } = this.study;
    if (game === null) return problem === "" ? opening : failed(problem);
    if (this.board === null && this.boardProblem === "") return opening;
    if (this.learner !== null) return this.learning(game, this.learner);
    const below = this.below(game);
    const above = game.seats.filter(({ seat }) => seat !== below);
    return html`
      <h1 class="unseen">${texts.analysisOf(gameLine(this.study.about, game))}</h1>
      <section class="table" aria-label=${texts.boardAndGraph}>
        ${above.map(({ seat }) => this.player(game, seat))}
        <div class="field">
          <eval-bar
            .status=${this.barStatus}
            .worth=${this.worth}
            .basis=${this.basis}
            .below=${below}
          ></eval-bar>
          <div class="board">${this.board ?? this.boardProblem}</div>
        </div>
        ${this.player(game, below)} ${this.graph(game)}
      </section>
      <div class="side">${this.engineCard(game)} ${this.gameCard(game)}</div>
      <p class="unseen" aria-live="polite">${this.announcement()}</p>
    `;
  }

  /** What the position at the cursor is worth; null while unknown. */
  private get worth(): Worth | null {
    const { line } = this.study.cursor;
    const { studied } = this;
    if (studied === undefined) return null;
    return line === null ? worthOf(studied) : worthInLine(studied, line.rank);
  }

  /** What the position at the cursor was evaluated with; in a candidate line, the visits of its first move. */
  private get basis(): Basis | null {
    const { studied } = this;
    const { line } = this.study.cursor;
    if (studied === undefined) return null;
    const samples = line === null ? studied.samples : (studied.lines[line.rank]?.visits ?? 0);
    return { source: studied.source, samples };
  }

  private get barStatus(): EvalStatus {
    if (this.worth !== null) return "live";
    return isOver(this.analysis.state) ? "off" : "pending";
  }

  /** The last move on the board in words, for screen readers. */
  private announcement(): string {
    const move = movesOf(this.study.shown?.history ?? []).at(-1);
    return move === undefined || this.board === null ? "" : this.board.spell(move);
  }

  private player({ seats }: Game, index: number): TemplateResult | null {
    const seat = seats[index];
    if (seat === undefined) return null;
    return html`<player-strip
      .name=${playerName(seat, null)}
      .seat=${index}
      .isOneOfMany=${seats.length > 2}
      .isToMove=${this.study.shown?.toAct.includes(index) ?? false}
    ></player-strip>`;
  }

  private graph({ seats }: Game): TemplateResult {
    return html`<eval-graph
      .positions=${this.analysis.state.positions}
      .judgements=${this.judgements}
      .moves=${this.study.moves}
      .seats=${this.study.isSimultaneous ? 1 : seats.length}
      .ply=${this.study.cursor.ply}
      @browse=${this.onBrowse}
    ></eval-graph>`;
  }

  private engineCard(game: Game): TemplateResult {
    const { studied } = this;
    const { moves, last, cursor, problem } = this.study;
    return html`
      <div class="card">
        <analysis-status
          .state=${this.analysis.state}
          .total=${this.study.last + 1}
          .depth=${this.analysis.depth}
          .usual=${this.analysis.usual}
          @depth=${this.onDepth}
        ></analysis-status>
        <analysis-lines
          .lines=${this.lines}
          .worths=${studied?.lines.map((_, rank) => worthInLine(studied, rank)) ?? []}
          .seat=${game.seats.length > 2 ? (studied?.toAct[0] ?? 0) : 0}
          .absence=${this.absence(studied)}
          .look=${this.study.cursor.line}
          .spell=${this.spell ?? ((move: string) => move)}
          @look=${this.onLook}
        ></analysis-lines>
        ${this.policies(game)}
        <move-list
          .moves=${moves}
          .movers=${moversOf(game.position.history, game.seats.length)}
          .names=${game.seats.map((seat) => playerName(seat, null))}
          .spell=${this.spell}
          .seats=${game.seats.length}
          .isSimultaneous=${this.study.isSimultaneous}
          .ply=${cursor.ply}
          .last=${last}
          .judgements=${this.judgements}
          .partJudgements=${this.partJudgements}
          @browse=${this.onBrowse}
        ></move-list>
        <p class="problem" role="alert" ?hidden=${problem === ""}>${problem}</p>
      </div>
    `;
  }

  /** How to play the position at the cursor, in games in which seats move together. */
  private policies({ seats }: Game): TemplateResult | null {
    if ([...this.analysis.state.positions.values()].every((one) => mixtureOf(one) === null)) return null;
    return html`<move-policies
      .mixture=${this.studied === undefined ? null : mixtureOf(this.studied)}
      .names=${seats.map((seat) => playerName(seat, null))}
    ></move-policies>`;
  }

  /** Why there are no lines. */
  private absence(studied: Studied | undefined): string {
    if (studied !== undefined) return texts.gameOver;
    return isOver(this.analysis.state) ? texts.notAnalysed : texts.notYetAnalysed;
  }

  private gameCard(game: Game): TemplateResult {
    return html`
      <div class="card">
        <analysis-summary
          .names=${game.seats.map((seat) => playerName(seat, null))}
          .summary=${this.analysis.state.summary}
          @seek=${this.onSeek}
        ></analysis-summary>
        ${this.learnButtons(game)} ${this.about(game)} ${this.tools()}
      </div>
    `;
  }

  private mistakes(seat: number): readonly Mistake[] {
    return mistakesOf(this.analysis.state.positions, this.study.moves, seat);
  }

  /** One button for each seat that has made mistakes, once all are known. */
  private learnButtons({ seats }: Game): TemplateResult | null {
    if (this.analysis.state.stage !== "done") return null;
    const learners = seats.filter(({ seat }) => this.mistakes(seat).length > 0);
    if (learners.length === 0) return null;
    return html`<div class="tools">
      ${learners.map(
        (seat) =>
          html`<button
            @click=${() => {
              this.learner = seat.seat;
            }}
          >
            ${mistakes.learnFrom(playerName(seat, null))}
          </button>`,
      )}
    </div>`;
  }

  private learning(game: Game, learner: number): TemplateResult {
    const { variant, config, position, seats } = game;
    const samples = samplesOf(this.analysis.depth, this.analysis.usual);
    const learnt = { game: game.game, variant, config, history: position.history, samples };
    const seat = seats[learner];
    return html`<mistakes-view
      .learnt=${learnt}
      .about=${this.study.about}
      .mistakes=${this.mistakes(learner)}
      .name=${seat === undefined ? "" : playerName(seat, null)}
      @leave=${() => {
        this.learner = null;
      }}
    ></mistakes-view>`;
  }

  private about(game: Game): TemplateResult {
    const { about, reasons } = this.study;
    const { result } = game.position;
    const how = result === undefined ? texts.inProgress : resultText(result, game.seats, null, reasons);
    return html`<p class="note">
      ${gameLine(about, game)}. ${how} <a href=${gamePath(this.gameId, null)}>${texts.goToGame}</a>
    </p>`;
  }

  /** Leads to a board on which other moves can be tried. */
  private tryLink(): TemplateResult | null {
    const { game, cursor, last } = this.study;
    if (game === null) return null;
    const ply = Math.min(cursor.ply, last);
    const moves = movesInLine(cursor, this.lines);
    return html`<a class="button" href=${boardPath(game.game, { from: { gameId: this.gameId, ply }, moves })}
      >${texts.tryMoves}</a
    >`;
  }

  private tools(): TemplateResult {
    const own = this.board?.recordFormat;
    const link = location.origin + analysisPath(this.gameId, this.study.cursor.ply);
    return html`
      <div class="tools">
        <button @click=${this.flip}>${icons.flip} ${common.flip}</button>
        ${this.tryLink()}
        <copy-link .link=${link}></copy-link>
        <p class="note">
          ${texts.record}
          <a href=${recordPath(this.gameId, "json")} download="${this.gameId}.json">${texts.json}</a>${
            own === undefined
              ? null
              : html`, <a href=${recordPath(this.gameId, own[0])} download="${this.gameId}.txt">${own[1]}</a>`
          }
        </p>
      </div>
    `;
  }
}

const opening = html`<p class="note">${common.loadingGame}</p>`;

function failed(problem: string): TemplateResult {
  return html`<div class="card failed">
    <p class="problem" role="alert">${problem}</p>
    <a href="/analysis">${importTexts.analyseRecord}</a>
  </div>`;
}
