// The elements that a Lit template describes, without a document. Templates are parsed once, as Lit does it. Event
// listeners, properties, and what directives do to elements are left out. Called by the drawing of pictures.
import { nothing } from "lit";
import { PartType, type DirectiveClass } from "lit/directive.js";

/** An element with its attributes, and its children: elements and texts. */
export interface Node {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (Node | string)[];
}

/** What Lit's `html` and `svg` return. */
interface Result {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
}

/** What a directive call such as `repeat(...)` returns. */
interface Call {
  readonly _$litDirective$: DirectiveClass;
  readonly values: readonly unknown[];
}

/** A part of a template: text and the indices of values in turn. */
type Mixed = readonly (string | number)[];

interface Pattern {
  readonly tag: string;
  readonly attributes: readonly (readonly [name: string, value: Mixed])[];
  readonly children: (Pattern | Mixed)[];
}

/** The elements and texts of what a template, or an expression between two tags, returns. */
export function nodesOf(value: unknown): (Node | string)[] {
  if (value === null || value === undefined || value === nothing || value === "") return [];
  if (typeof value !== "object") return [textOf(value)];
  if (isCall(value)) return nodesOf(renderedBy(value));
  if (isResult(value)) return patternOf(value.strings).flatMap((part) => filled(part, value.values));
  if (Symbol.iterator in value) return Array.from(value as Iterable<unknown>).flatMap(nodesOf);
  throw new TypeError("A template contains an object that is no template.");
}

function isResult(value: object): value is Result {
  return "strings" in value && "values" in value;
}

function isCall(value: object): value is Call {
  return "_$litDirective$" in value;
}

function renderedBy({ _$litDirective$: made, values }: Call): unknown {
  const directive = new made({ type: PartType.CHILD });
  return directive.render(...values);
}

function filled(part: Pattern | Mixed, values: readonly unknown[]): (Node | string)[] {
  if (!("tag" in part))
    return part.flatMap((piece) => nodesOf(typeof piece === "number" ? values[piece] : piece));
  const attributes: Record<string, string> = {};
  for (const [name, value] of part.attributes) {
    const text = attributeText(value, values);
    if (text !== null) attributes[name] = text;
  }
  return [{ tag: part.tag, attributes, children: part.children.flatMap((child) => filled(child, values)) }];
}

/** Null if a value is `nothing`: then there is no such attribute. */
function attributeText(value: Mixed, values: readonly unknown[]): string | null {
  let text = "";
  for (const piece of value) {
    const part = typeof piece === "number" ? values[piece] : piece;
    if (part === nothing) return null;
    text += textOf(part);
  }
  return text;
}

function textOf(value: unknown): string {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return String(value);
  return "";
}

// ---- parsing ---------------------------------------------------------------------------------

const patterns = new WeakMap<readonly string[], readonly (Pattern | Mixed)[]>();

function patternOf(strings: readonly string[]): readonly (Pattern | Mixed)[] {
  const known = patterns.get(strings);
  if (known !== undefined) return known;
  const pattern = parse(strings.join(MARK));
  patterns.set(strings, pattern);
  return pattern;
}

/** Stands for a value while a template is parsed. */
const MARK = "\uE000";
const TOKEN = /<!--[^]*?-->|<\/[\w-]+\s*>|<([\w-]+)((?:"[^"]*"|[^">])*?)(\/?)>|[^<]+/g;
const ATTRIBUTE = /([^\s=]+)(?:=(?:"([^"]*)"|([^\s"]+)))?/g;
/** Attributes that are listeners, properties and conditions. */
const NO_TEXT = /^[@.?]/;
const VOID = new Set(["br", "hr", "img", "input"]);

function parse(text: string): readonly (Pattern | Mixed)[] {
  let next = 0;
  const mixed = (part: string): Mixed =>
    part
      .split(MARK)
      .flatMap((piece, index) => [...(index === 0 ? [] : [next++]), ...(piece === "" ? [] : [piece])]);
  const root: Pattern = { tag: "", attributes: [], children: [] };
  const open = [root];
  for (const [token, tag, inside = "", closed] of text.matchAll(TOKEN)) {
    const parent = open.at(-1) ?? root;
    if (token.startsWith("<!--")) mixed(token);
    else if (token.startsWith("</")) open.pop();
    else if (tag === undefined) parent.children.push(isBlank(token) ? [] : mixed(token));
    else {
      const pattern: Pattern = { tag, attributes: attributesOf(inside, mixed), children: [] };
      parent.children.push(pattern);
      if (closed === "" && !VOID.has(tag)) open.push(pattern);
    }
  }
  return root.children;
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}

function attributesOf(text: string, mixed: (part: string) => Mixed): Pattern["attributes"] {
  return [...text.matchAll(ATTRIBUTE)].flatMap(([token, name = "", quoted, plain = ""]) => {
    const value = mixed(name === MARK ? token : (quoted ?? plain));
    return name === MARK || NO_TEXT.test(name) ? [] : [[name, value] as const];
  });
}
