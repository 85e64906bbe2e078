// <eval-graph>: the evaluations of a game as a curve. A click, or a drag across it, fires "browse" with the ply.
// Display only; the analysis page sets its properties.
import { LitElement, html, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import * as analysis from "#texts/analysis";
import * as texts from "#texts/evaluation";
import type { Judgement, Studied } from "../api/analysis";
import { SIGNS, lossText } from "../state/analysis";
import { citation } from "../state/moves";
import { areaPath, curve, linePath, plyAt } from "../state/graph";
import { sharesOf, worthOf, worthText, type SentWorth } from "../state/worth";
import { evalGraphStyles } from "./eval-graph-styles";

/** Up to this many plies, each one has a dot on the curve. */
const DOTTED = 40;

/** The least horizontal distance of a drag, in pixels. */
const DRAG_SLOP = 6;

/** From this many marks on they are small, to keep the curve visible. */
const CROWDED = 50;

/** What the graph shows of a position: its worth, and what was lost by the moves that led there. */
export type Charted = Pick<Studied, "ply" | "played"> & SentWorth;

export class EvalGraph extends LitElement {
  static override styles = evalGraphStyles;

  @property({ attribute: false }) positions: ReadonlyMap<number, Charted> = new Map();
  @property({ attribute: false }) judgements: ReadonlyMap<number, Judgement> = new Map();
  @property({ attribute: false }) moves: readonly string[] = [];
  /** How many moves a round has. */
  @property({ type: Number }) seats = 2;
  @property({ type: Number }) ply = 0;

  /** The ply under the pointer. */
  @state() private pointed: number | null = null;
  /** Where the pointer was pressed. */
  private downAt = 0;

  private get last(): number {
    return this.moves.length;
  }

  override render(): TemplateResult {
    const { ply, last } = this;
    return html`
      <div
        class="graph"
        role="slider"
        tabindex="0"
        aria-label=${texts.graph}
        aria-valuemin="0"
        aria-valuemax=${last}
        aria-valuenow=${ply}
        aria-valuetext=${this.words(ply)}
        @click=${this.onClick}
        @pointerdown=${this.onDown}
        @pointermove=${this.onMove}
        @pointerleave=${this.onLeave}
      >
        <svg
          class=${this.judgements.size < CROWDED ? "" : "crowded"}
          viewBox="0 -1.06 ${Math.max(last, 1)} 2.12"
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          ${this.curves()}
          <path class="zero" d="M0 0H${Math.max(last, 1)}" />
          ${this.marks()} ${this.cursors()}
        </svg>
      </div>
      <p class="reading">${this.reading(this.pointed ?? ply)}</p>
    `;
  }

  /** Two opponents share one curve, coloured by who is ahead; more seats have one each. */
  private curves(): SVGTemplateResult[] {
    const positions = [...this.positions.values()];
    const seats = positions[0]?.values.length ?? 0;
    if (seats > 2)
      return Array.from({ length: seats }, (_, seat) => {
        const points = curve(positions.map((studied) => [studied.ply, height(studied, seat)]));
        return svg`<path class="line own seat-${seat}" d=${linePath(points)}/>`;
      });
    const points = curve(positions.map((studied) => [studied.ply, height(studied)]));
    return [
      svg`<path class="area seat-0" d=${areaPath(points, -1)}/>`,
      svg`<path class="area seat-1" d=${areaPath(points, 1)}/>`,
      svg`<path class="line" d=${linePath(points)}/>`,
      ...(this.last <= DOTTED ? points.map(({ x, y }) => dot(x, y, "each")) : []),
    ];
  }

  /** Where the curve of two opponents is, in [-1, 1]. */
  private heightAt(ply: number): number | undefined {
    const studied = this.positions.get(ply);
    return studied === undefined ? undefined : height(studied);
  }

  private marks(): SVGTemplateResult[] {
    return [...this.judgements].map(([ply, judgement]) => dot(ply, -(this.heightAt(ply) ?? 0), judgement));
  }

  private cursors(): SVGTemplateResult[] {
    const { ply, pointed } = this;
    const at = (x: number, name: string): SVGTemplateResult =>
      svg`<path class="cursor ${name}" d="M${x} -1.06V1.06"/>`;
    const y = this.heightAt(ply);
    return [
      ...(pointed === null || pointed === ply ? [] : [at(pointed, "pointed")]),
      at(ply, "present"),
      ...(y === undefined ? [] : [dot(ply, -y, "present")]),
    ];
  }

  /** A description of a ply: the move that led there, its annotation, and the value. */
  private reading(ply: number): TemplateResult {
    const judgement = this.judgements.get(ply);
    const move = this.moves[ply - 1];
    return html`
      <span class="move">${move === undefined ? texts.start : citation(ply, move, this.seats)}</span>
      ${judgement === undefined ? null : html`<span class=${judgement}>${this.judged(ply, judgement)}</span>`}
      <span class="value">${this.worth(ply) || "…"}</span>
    `;
  }

  /** A judgement with its sign and, in games with points, with what the move lost. */
  private judged(ply: number, judgement: Judgement): string {
    const studied = this.positions.get(ply);
    return [SIGNS[judgement], analysis.judgement[judgement], studied === undefined ? "" : lossText(studied)]
      .join(" ")
      .trimEnd();
  }

  /** What a position is worth to the first seat; empty if it is unknown. */
  private worth(ply: number): string {
    const studied = this.positions.get(ply);
    return studied === undefined ? "" : worthText(worthOf(studied), 0);
  }

  private words(ply: number): string {
    const move = this.moves[ply - 1];
    const judgement = this.judgements.get(ply);
    const parts = [
      move === undefined ? texts.start : citation(ply, move, this.seats),
      this.worth(ply),
      judgement === undefined ? "" : analysis.judgement[judgement],
    ];
    return parts.filter((part) => part !== "").join(", ");
  }

  // ---- pointer -------------------------------------------------------------------------------

  private readonly onDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.downAt = event.clientX;
  };

  /** Vertical movement of a finger scrolls the page instead. */
  private readonly onMove = (event: PointerEvent): void => {
    this.pointed = this.plyUnder(event);
    if (event.buttons === 1 && Math.abs(event.clientX - this.downAt) > DRAG_SLOP) this.browse(this.pointed);
  };

  private readonly onClick = (event: MouseEvent): void => {
    this.browse(this.plyUnder(event));
  };

  private readonly onLeave = (): void => {
    this.pointed = null;
  };

  private plyUnder({ currentTarget, clientX }: MouseEvent): number {
    const { left, width } = (currentTarget as Element).getBoundingClientRect();
    return plyAt((clientX - left) / width, this.last);
  }

  private browse(ply: number): void {
    if (ply !== this.ply) this.dispatchEvent(new CustomEvent<number>("browse", { detail: ply }));
  }
}

/** A line of almost no length: its round caps form a dot that stays round when the drawing is stretched. */
function dot(x: number, y: number, name: string): SVGTemplateResult {
  return svg`<path class="dot ${name}" d="M${x} ${y}h0.0001"/>`;
}

/** Where the curve of a seat is in a position, in [-1, 1], by its part of the bar. */
function height(studied: Charted, seat = 0): number {
  return 2 * (sharesOf(worthOf(studied))[seat] ?? 0) - 1;
}

// A site that embeds our graph may define an element of this name; the embedded graph has its own class.
if (customElements.get("eval-graph") === undefined) customElements.define("eval-graph", EvalGraph);
