// Removes the white space and comments of Lit's templates that browsers do not need, and that minifiers leave alone.
import type { Plugin } from "vite";

const STYLES = /css`[^`]*`/g;

export function compactTemplates(): Plugin {
  return {
    name: "compact-templates",
    apply: "build",
    transform(code, id) {
      if (!id.endsWith(".ts")) return null;
      return { code: code.replace(/\n\s+/g, "\n").replace(STYLES, compactStyle), map: null };
    },
  };
}

/** Space after a closing brace stays: it may be that of a value within the template. */
function compactStyle(style: string): string {
  return style
    .replace(/\/\*[^]*?\*\//g, "")
    .replace(/([:;{])\s+/g, "$1")
    .replace(/\s+\{/g, "{");
}
