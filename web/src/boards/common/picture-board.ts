// What the boards of all games have in common: the properties of BoardElement, a picture that zooms and pans, pieces that
// are dragged, notes, and the events of a board. A board extends it with what it draws and how its actions are picked.
import {
  LitElement,
  html,
  nothing,
  svg,
  type PropertyValues,
  type SVGTemplateResult,
  type TemplateResult,
} from "lit";
import { property } from "lit/decorators.js";
import * as texts from "#texts/boards/common";
import type { Blocked, BoardElement, SetUp } from "../../boards";
import type { Point } from "./arrows";
import { Carrier, type Draggable } from "./carrier";
import { Gestures } from "./gestures";
import { Notes } from "./notes";
import { PictureSize } from "./picture-size";
import { Placing } from "./placing";
import { pointers } from "./pointers";
import type { Viewport } from "./viewport";
import { ZOOM_STEP } from "./zoom-tools";

/** How a board's picture differs from the others. */
export interface PictureParts {
  /** What the camera shows. */
  readonly world: unknown;
  /** What lies before the world in the picture and does not move with it. */
  readonly before?: unknown;
  /** The same after it. */
  readonly after?: unknown;
  readonly label?: string;
  readonly classes?: string;
  readonly worldClasses?: string;
  /** Declarations for the world, besides the camera. */
  readonly worldStyle?: string;
  /** Whether the Tab key reaches the picture itself. */
  readonly isReachable?: boolean;
}

export abstract class PictureBoard<View, Port extends Viewport = Viewport>
  extends LitElement
  implements BoardElement<View>
{
  @property({ attribute: false }) view: View | null = null;
  @property({ attribute: false }) legal: readonly string[] = [];
  @property({ attribute: false }) staged: readonly string[] = [];
  @property({ attribute: false }) aimed: string | null = null;
  @property({ attribute: false }) lastMove: string | null = null;
  @property({ attribute: false }) hint: string | null = null;
  @property({ attribute: false }) isFlipped = false;
  @property({ attribute: false }) isEmbedded = false;
  @property({ attribute: false }) seat: number | null = null;
  @property({ attribute: false }) isPremove = false;
  @property({ attribute: false }) tool: string | null = null;

  /** Whether the board is drawn without the tools over it, as a picture. */
  isStill = false;

  abstract readonly lesson: string;
  readonly setUp?: SetUp<View>;
  protected readonly viewport: Port;
  protected readonly notes: Notes;
  protected readonly gestures: Gestures;
  private readonly placing: Placing<View>;

  constructor(createViewport: (onChange: () => void) => Port) {
    super();
    const redraw = (): void => {
      this.requestUpdate();
    };
    this.viewport = createViewport(redraw);
    this.notes = new Notes({
      cellUnder: (event) => {
        const point = this.pointAt(event);
        return point === null ? null : this.cellAt(point);
      },
      onChange: redraw,
    });
    this.gestures = new Gestures(this.viewport, {
      carrier: new Carrier({
        pieceAt: (grip) => this.pieceAt?.(grip) ?? null,
        lift: (piece) => {
          this.aim(null);
          this.onLift?.(piece);
        },
        drop: (piece, over, at) => {
          this.onDrop(piece, over, at);
        },
      }),
      notes: this.notes,
      onSwipe: (way) => {
        this.onSwipe?.(way);
      },
    });
    this.addController(new PictureSize(this, this.viewport));
    this.placing = new Placing(this, this.viewport, (point) => {
      this.fire("place", point);
    });
  }

  abstract widthFor(height: number): number;
  abstract compose(actions: readonly string[]): string;
  abstract spell(move: string): string;

  /** The middle of the cell at a point of the world; null beside the board. */
  protected abstract cellAt(point: Point): Point | null;

  /** Handles a piece that is dropped; `over`: what is under the pointer. */
  protected abstract onDrop(piece: string, over: Element | null, at: MouseEvent): void;

  /** Handles a click in the picture that hits nothing to pick. */
  protected abstract onGround(event: MouseEvent): void;

  protected onLift?(piece: string): void;

  /** What follows the pointer, if that is not what is pressed. */
  protected pieceAt?(grip: Element): Draggable | null;

  /** Handles the movement of a finger, where the viewport leaves it to the board. */
  protected onSwipe?(way: Point): void;

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("lastMove") || changed.has("isFlipped")) this.notes.clear();
    this.gestures.isEmbedded = this.isEmbedded;
  }

  // ---- drawing -------------------------------------------------------------------------------

  protected drawPicture(parts: PictureParts): TemplateResult {
    const { label = texts.board, classes = "", isReachable = false, before, after } = parts;
    const { width, height } = this.viewport.size;
    const { middle, scale } = this.viewport.camera;
    const glides = this.viewport.glides && !this.gestures.isMoving;
    return html`<svg
      class=${this.viewport.oneFinger === "scrolls" ? classes : `zoomed ${classes}`.trim()}
      viewBox="${-width / 2} ${-height / 2} ${width} ${height}"
      role="group"
      aria-label=${label}
      tabindex=${isReachable ? 0 : nothing}
      @click=${this.onPictureClick}
      @wheel=${this.gestures.onWheel}
      @contextmenu=${this.gestures.onMenu}
      ${pointers(this.gestures)}
    >
      ${before}
      <g
        class="world ${glides ? "gliding" : ""} ${parts.worldClasses ?? ""}"
        style="transform: scale(${scale}) translate(${-middle.x}px, ${-middle.y}px); ${parts.worldStyle ?? ""}"
      >
        ${parts.world}
      </g>
      ${after} ${this.tool === null ? nothing : this.drawPlacing()}
    </svg>`;
  }

  private readonly onPictureClick = (event: MouseEvent): void => {
    if (this.gestures.clickOf(event) !== "swipe") this.onGround(event);
  };

  /** Covers the picture, so that all clicks are those of the tool. */
  private drawPlacing(): SVGTemplateResult {
    const { width, height } = this.viewport.size;
    return svg`<rect class="placing" x=${-width / 2} y=${-height / 2} width=${width} height=${height}
      fill="transparent" @click=${this.onPlace}/>${this.placing.draw()}`;
  }

  private readonly onPlace = (event: MouseEvent): void => {
    event.stopPropagation();
    const point = this.pointAt(event);
    if (this.gestures.clickOf(event) !== "swipe" && point !== null) this.fire("place", point);
  };

  protected get world(): SVGGraphicsElement | null {
    return this.renderRoot.querySelector<SVGGraphicsElement>(".world");
  }

  /** Where the pointer is in the units of the world. */
  protected pointAt({ clientX, clientY }: MouseEvent): Point | null {
    const matrix = this.world?.getScreenCTM();
    return matrix == null ? null : new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
  }

  // ---- events --------------------------------------------------------------------------------

  protected aim(text: string | null): void {
    if (this.aimed === text) return;
    this.aimed = text;
    this.fire("aim", text);
  }

  protected play(text: string): void {
    this.aimed = null;
    this.fire("action", text);
  }

  protected unstage(index: number): void {
    this.fire("unstage", index);
  }

  /** Reports what the player has tried, so that the page says why it is not possible; not while others move. */
  protected block(what: Blocked): void {
    if (this.legal.length > 0 && !this.isPremove) this.fire("blocked", what);
  }

  private fire(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  // ---- keyboard ------------------------------------------------------------------------------

  /** Whether the key zooms. */
  protected readonly zoomWith = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => {
    if (ctrlKey || metaKey || altKey) return false;
    if (key === "+" || key === "=") this.viewport.zoom(ZOOM_STEP);
    else if (key === "-") this.viewport.zoom(1 / ZOOM_STEP);
    else if (key === "0") this.viewport.toggle();
    else return false;
    return true;
  };
}
