// The picture of a board: the element that the page shows is created without a page, and what it renders is written as
// plain SVG. Called by the script's entry point.
import "./dom";
import type { CSSResult, PropertyValues } from "lit";
import type { BoardElement } from "../boards";
import theme from "../theme.css?inline";
import { Style, rulesOf, type Theme } from "./cascade";
import { escaped, styleOf, written } from "./plain-svg";
import { nodesOf, type Node } from "./template";
import { ROW, ROW_GAP, drawTray } from "./tray";

import.meta.glob("../boards/*.ts", { eager: true });

/** A position as the server describes it, and how it is seen. */
export interface Shown {
  readonly game: string;
  readonly variant: string;
  /** The game's `about` of the catalogue. */
  readonly about: unknown;
  readonly view: unknown;
  readonly lastMove: string | null;
  readonly isFlipped: boolean;
  readonly theme: Theme;
}

/** A rectangle of the picture. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What the boards have besides the interface of BoardElement. */
interface Drawable extends BoardElement {
  readonly viewport: {
    readonly showsEverything: boolean;
    resize(size: { width: number; height: number }): void;
    toggle(): void;
  };
  willUpdate(changed: PropertyValues): void;
  render(): unknown;
}

type BoardClass = (new () => Drawable) & { readonly styles: readonly CSSResult[] };

/** The width of a picture in CSS pixels, before it is scaled: it decides how large names and marks are on the board. */
const WIDTH = 600;

/** A board that shows a position. */
export class DrawnBoard {
  /** The colours of the page, with those of the game. */
  readonly page: Style;
  private readonly board: Drawable;
  private readonly root: Style;

  constructor(shown: Shown) {
    const made = customElements.get(`${shown.game}-board`) as BoardClass | undefined;
    if (made === undefined) throw new Error(`There is no board for ${shown.game}.`);
    this.board = boardOf(made, shown);
    const colours = this.board.colours ?? {};
    this.page = Style.root(pageRules(), shown.theme, colours);
    this.root = Style.root(boardRules(shown.game, made), shown.theme, colours);
  }

  /** Width by height. */
  get ratio(): number {
    const { table, trays } = this.parts();
    return 1 / (1 / ratioOf(table) + (trays.length * (ROW + ROW_GAP)) / WIDTH);
  }

  /** The board in a rectangle of its proportions, on its own ground, between the reserves of its players. */
  draw({ x, y, width, height }: Box): string {
    const { trays } = this.parts();
    const above = trays.filter(({ isAbove }) => isAbove).length * (ROW + ROW_GAP);
    const size = { width: WIDTH, height: (WIDTH * height) / width - trays.length * (ROW + ROW_GAP) };
    const { viewport } = this.board;
    viewport.resize(size);
    if (!viewport.showsEverything) viewport.toggle();
    const parts = this.parts();
    const rows = parts.trays.map(({ node, style, isAbove }) => {
      const top = isAbove ? 0 : above + size.height + ROW_GAP;
      return `<g transform="translate(0 ${top})">${drawTray(node, style)}</g>`;
    });
    return `<g transform="translate(${x} ${y}) scale(${width / WIDTH})">
${drawTable(parts.table, above, size)}
${rows.join("\n")}
</g>`;
  }

  /** The element around the picture, and the reserves. */
  private parts(): Parts {
    const found = [...partsIn(nodesOf(this.board.render()), this.root)];
    const at = found.findIndex(({ node }) => hasClass(node, "table"));
    const table = found[at];
    if (table === undefined) throw new Error("The board has no picture.");
    const trays = found.flatMap((part, index) => (index === at ? [] : [{ ...part, isAbove: index < at }]));
    return { table, trays };
  }
}

interface Part {
  readonly node: Node;
  readonly style: Style;
}

interface Parts {
  readonly table: Part;
  readonly trays: readonly (Part & { readonly isAbove: boolean })[];
}

function* partsIn(nodes: readonly (Node | string)[], outer: Style): Generator<Part> {
  for (const node of nodes) {
    if (typeof node === "string") continue;
    const style = styleOf(node, outer);
    if (hasClass(node, "table") || hasClass(node, "tray")) yield { node, style };
    else yield* partsIn(node.children, style);
  }
}

function hasClass({ attributes }: Node, name: string): boolean {
  return attributes.class?.split(/\s+/).includes(name) ?? false;
}

/** Width by height of the picture alone. */
function ratioOf({ style }: Part): number {
  const [width = 1, height = 1] = (style.get("aspect-ratio") ?? "1").split("/").map(Number);
  return width / height;
}

function drawTable(
  { node, style }: Part,
  y: number,
  { width, height }: { width: number; height: number },
): string {
  const picture = node.children.find((child) => typeof child !== "string" && child.tag === "svg") as Node;
  const ground = style.get("background");
  const place = `y="${y}" width="${width}" height="${height}"`;
  return `${ground === undefined ? "" : `<rect ${place} rx="8" fill="${escaped(ground)}"/>`}
<svg ${place} viewBox="${escaped(picture.attributes.viewBox ?? "")}">
${written(picture.children, styleOf(picture, style))}</svg>`;
}

// ---- kept from one picture to the next ---------------------------------------------------------

type Rules = ReturnType<typeof rulesOf>;

const boards = new Map<string, Drawable>();
const rules = new Map<string, Rules>();

/** The board of a game and variant, as it keeps what it has computed from the game's tables. */
function boardOf(made: BoardClass, shown: Shown): Drawable {
  const key = `${shown.game} ${shown.variant}`;
  const known = boards.get(key);
  const board = known ?? new made();
  const { about, variant, view, lastMove, isFlipped } = shown;
  Object.assign(
    board,
    { view, lastMove, isFlipped, isStill: true },
    known === undefined ? { about, variant } : {},
  );
  const changed = ["view", "lastMove", ...(known === undefined ? ["about", "variant"] : [])];
  board.willUpdate(new Map(changed.map((name) => [name, undefined])));
  boards.set(key, board);
  return board;
}

function pageRules(): Rules {
  return kept("", () => rulesOf([theme]));
}

function boardRules(game: string, { styles }: BoardClass): Rules {
  return kept(game, () => rulesOf([theme, ...styles.map(({ cssText }) => cssText)]));
}

function kept(key: string, make: () => Rules): Rules {
  const found = rules.get(key) ?? make();
  rules.set(key, found);
  return found;
}
