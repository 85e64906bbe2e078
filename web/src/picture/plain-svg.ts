// Writes the elements of a picture as SVG that every renderer draws: what style sheets say becomes presentation attributes,
// without variables, and what only pages need is left out. Called by the drawing of pictures.
import type { Style } from "./cascade";
import type { Node } from "./template";

/** The attributes that are part of the picture. */
const ATTRIBUTES = new Set(
  (
    "id d x y x1 y1 x2 y2 cx cy r rx ry width height points viewBox href fill font-size marker-end refX refY " +
    "markerWidth markerHeight orient"
  ).split(" "),
);

/** The properties of style sheets that are presentation attributes as well. */
const PROPERTIES = [
  ...["fill", "fill-opacity", "opacity", "filter", "paint-order", "text-anchor", "dominant-baseline"],
  ...["stroke", "stroke-opacity", "stroke-linecap", "stroke-linejoin"],
  ...["font-size", "font-weight"],
];
/** Those that do not grow with the picture where `vector-effect` says so. */
const LENGTHS = ["stroke-width", "stroke-dasharray"];

/** The elements and texts inside the element with this style. `scale`: what a unit of it is in the picture. */
export function written(nodes: readonly (Node | string)[], style: Style, scale = 1): string {
  return nodes
    .map((node) => (typeof node === "string" ? escaped(node) : element(node, style, scale)))
    .join("");
}

/** The style of an element inside an element with the style `outer`. */
export function styleOf({ tag, attributes }: Node, outer: Style): Style {
  const own = declarationsOf(attributes.style).filter(([name]) => name.startsWith("--"));
  return outer.of(tag, attributes.class ?? "", own);
}

export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function element(node: Node, outer: Style, scale: number): string {
  const style = styleOf(node, outer);
  if (style.get("display") === "none" || style.get("opacity") === "0" || node.tag === "title") return "";
  const transform = transformOf(node, style);
  const within = scale * scaleOf(transform);
  const attributes = {
    ...Object.fromEntries(Object.entries(node.attributes).filter(([name]) => ATTRIBUTES.has(name))),
    ...(transform === "" ? {} : { transform }),
    ...presentation(style, style.get("vector-effect") === "non-scaling-stroke" ? within : 1),
  };
  const text = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(value)}"`);
  const inside = written(node.children, style, within);
  return inside === ""
    ? `<${node.tag}${text.join("")}/>`
    : `<${node.tag}${text.join("")}>${inside}</${node.tag}>`;
}

/** `shrunk`: by how much lengths are divided. */
function presentation(style: Style, shrunk: number): Record<string, string> {
  const set: Record<string, string> = fontOf(style.get("font"));
  for (const name of PROPERTIES) {
    const value = style.get(name);
    if (value !== undefined) set[name] = value;
  }
  for (const name of LENGTHS) {
    const value = style.get(name);
    if (value !== undefined) set[name] = value.replace(/[\d.]+/g, (length) => short(Number(length) / shrunk));
  }
  return set;
}

/** Weight and size; pictures have one family. */
function fontOf(font: string | undefined): Record<string, string> {
  const [, weight, size] = /^(?:(\d+)\s+)?([\d.]+)px/.exec(font ?? "") ?? [];
  return {
    ...(weight === undefined ? {} : { "font-weight": weight }),
    ...(size === undefined ? {} : { "font-size": size }),
  };
}

// ---- transforms ------------------------------------------------------------------------------

/** The properties `scale` and `transform`, which overrides the attribute, in the syntax of the attribute. */
function transformOf({ attributes }: Node, style: Style): string {
  const own = declarationsOf(attributes.style).find(([name]) => name === "transform")?.[1];
  const scale = style.get("scale") ?? "1";
  const transform = own === undefined ? (attributes.transform ?? "") : own.replace(/px|deg/g, "");
  return `${Number(scale) === 1 ? "" : `scale(${scale}) `}${transform}`.trim();
}

function scaleOf(transform: string): number {
  return [...transform.matchAll(/scale\(([\d.]+)\)/g)].reduce(
    (product, [, factor]) => product * Number(factor),
    1,
  );
}

function short(value: number): string {
  return String(Number(value.toFixed(3)));
}

function declarationsOf(style = ""): (readonly [name: string, value: string])[] {
  return style.split(";").flatMap((declaration) => {
    const at = declaration.indexOf(":");
    return at < 0 ? [] : [[declaration.slice(0, at).trim(), declaration.slice(at + 1).trim()] as const];
  });
}
