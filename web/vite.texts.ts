// The texts of the page, in the language that the environment variable PAGE_LANGUAGE names: the folder `src/texts/<language>`,
// whose modules the sources import as `#texts/<module>`. A text without values becomes a part of the templates that show it, so
// that it costs a browser no more than if it stood there.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const LANGUAGE = process.env.PAGE_LANGUAGE ?? "en";
const FOLDER = fileURLToPath(new URL(`src/texts/${LANGUAGE}/`, import.meta.url));

const IMPORT = /^import \* as (\w+) from "#texts\/(.+)";$/gm;
const CONSTANT = /^export const (\w+) =\s+("(?:[^"\\]|\\.)*");$/gm;
/** What would mean something else within a template. */
const SPECIAL = /[&<>"`\\$]/;

export function texts(): Plugin {
  return {
    name: "texts",
    enforce: "pre",
    config: () => ({ resolve: { alias: [{ find: /^#texts\//, replacement: FOLDER }] } }),
    async transformIndexHtml(page) {
      const description = (await constantsOf("app")).get("description") ?? "";
      return page.replace("%LANGUAGE%", LANGUAGE).replace("%DESCRIPTION%", description);
    },
    async transform(code, id) {
      if (this.environment.mode !== "build" || !id.endsWith(".ts")) return null;
      let inlined = code;
      for (const [, name = "", path = ""] of code.matchAll(IMPORT)) {
        for (const [constant, text] of await constantsOf(path))
          inlined = withText(inlined, `${name}.${constant}`, text);
      }
      return { code: inlined, map: null };
    },
  };
}

/** The texts without values of a module, by their names. */
async function constantsOf(module: string): Promise<Map<string, string>> {
  const source = await readFile(`${FOLDER}${module}.ts`, "utf8");
  const found = source.matchAll(CONSTANT);
  return new Map([...found].map(([, name = "", literal = ""]) => [name, JSON.parse(literal) as string]));
}

/** The code with the text in the place of `${name}`, except as the value of a property or a listener. */
function withText(code: string, name: string, text: string): string {
  if (SPECIAL.test(text)) return code;
  const place = new RegExp(`([.?@]?[\\w-]+=)?\\$\\{${name.replace(".", "\\.")}\\}`, "g");
  return code.replace(place, (whole, attribute: string | undefined) => {
    if (attribute === undefined) return text;
    return /^\w/.test(attribute) ? `${attribute}"${text}"` : whole;
  });
}
