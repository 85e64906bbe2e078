// Removes the white space and comments of Lit's templates that browsers do not need, and that minifiers leave alone.
import type { Plugin } from "vite";

/** A string of a template: what is between its expressions. */
interface Quasi {
  readonly start: number;
  readonly end: number;
  readonly isStyle: boolean;
}

export function compactTemplates(): Plugin {
  return {
    name: "compact-templates",
    apply: "build",
    transform(code, id) {
      if (!id.endsWith(".ts")) return null;
      const last = quasisIn(this.parse(code)).toSorted((one, other) => other.start - one.start);
      const compacted = last.reduce((text, { start, end, isStyle }) => {
        const part = text.slice(start, end).replace(/\n\s+/g, "\n");
        return text.slice(0, start) + (isStyle ? compactStyle(part) : part) + text.slice(end);
      }, code);
      return { code: compacted, map: null };
    },
  };
}

/** The strings of all templates in a syntax tree. */
function quasisIn(node: unknown): Quasi[] {
  if (typeof node !== "object" || node === null) return [];
  const { type, tag, quasi } = node as {
    type?: string;
    tag?: { name?: string };
    quasi?: { quasis: Quasi[] };
  };
  const isTemplate = type === "TaggedTemplateExpression" && /^(html|svg|css)$/.test(tag?.name ?? "");
  const own = isTemplate ? (quasi?.quasis ?? []) : [];
  return [
    ...own.map(({ start, end }) => ({ start, end, isStyle: tag?.name === "css" })),
    ...Object.values(node).flatMap(quasisIn),
  ];
}

function compactStyle(style: string): string {
  return style
    .replace(/\/\*[^]*?\*\//g, "")
    .replace(/([:;{}])\s+/g, "$1")
    .replace(/\s+\{/g, "{");
}
