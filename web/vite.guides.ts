// Creates a page for each text in `docs/`, and copies the project's files that they link to.
import { readFile, readdir, stat } from "node:fs/promises";
import { basename, join, posix } from "node:path";
import { Marked, type Tokens } from "marked";
import { gfmHeadingId } from "marked-gfm-heading-id";
import type { Plugin } from "vite";

const FOLDER = "docs";

interface Guide {
  name: string;
  title: string;
  /** HTML. */
  body: string;
  /** Files that the guide links to or shows: paths from the project's root. */
  files: string[];
}

export function guides(): Plugin {
  let project = "";
  return {
    name: "guides",
    apply: "build",
    configResolved({ root }) {
      project = join(root, "..");
    },
    async generateBundle() {
      const names = (await readdir(join(project, FOLDER))).filter((name) => name.endsWith(".md"));
      const all: Guide[] = [];
      // One by one, since their headings are counted together.
      for (const name of names) all.push(await guideOf(project, name));
      all.sort((one, other) => one.title.localeCompare(other.title, "en"));
      const style = this.emitFile({ type: "asset", name: "guide.css", source: await styleOf(project) });
      const icons = `<link rel="icon" href="/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="/${this.getFileName(style)}">`;
      for (const guide of all) {
        this.emitFile({
          type: "asset",
          fileName: `${FOLDER}/${guide.name}.html`,
          source: pageOf(guide, all, icons),
        });
      }
      for (const path of new Set(all.flatMap(({ files }) => files))) {
        this.emitFile({ type: "asset", fileName: shown(path), source: await readFile(join(project, path)) });
      }
    },
  };
}

/** Where a file of the project is on the server: source text as a file that browsers show. */
function shown(path: string): string {
  return path.endsWith(".svg") ? path : `${path}.txt`;
}

async function styleOf(project: string): Promise<string> {
  const names = ["theme.css", "page.css", "guide.css"];
  return (await Promise.all(names.map((name) => readFile(join(project, "web/src", name), "utf8")))).join(
    "\n",
  );
}

async function guideOf(project: string, file: string): Promise<Guide> {
  const files: string[] = [];
  const marked = new Marked(gfmHeadingId(), {
    async: true,
    async walkTokens(token) {
      if (token.type !== "link" && token.type !== "image") return;
      const link = token as Tokens.Link | Tokens.Image;
      const path = posix.normalize(posix.join(FOLDER, link.href));
      if (/^(#|[a-z]+:)/.test(link.href)) return;
      if (/^[a-z]+\.md(#|$)/.test(link.href)) link.href = `/${FOLDER}/${link.href.replace(".md", "")}`;
      else if ((await stat(join(project, path))).isFile()) {
        files.push(path);
        link.href = `/${shown(path)}`;
      } else link.href = "";
    },
    renderer: {
      // A folder cannot be shown.
      link({ href, tokens }) {
        return href === "" ? this.parser.parseInline(tokens) : false;
      },
    },
  });
  const text = await readFile(join(project, FOLDER, file), "utf8");
  const title = /^# (.+)$/m.exec(text)?.[1] ?? file;
  return { name: basename(file, ".md"), title, body: scrollable(await marked.parse(text)), files };
}

/** What is wide scrolls on its own, by the keyboard too. */
function scrollable(body: string): string {
  return body
    .replaceAll("<pre>", '<pre tabindex="0">')
    .replaceAll("<table>", '<div class="table" tabindex="0"><table>')
    .replaceAll("</table>", "</table></div>")
    .replaceAll("<th></th>", "<td></td>");
}

function pageOf(guide: Guide, all: readonly Guide[], links: string): string {
  const others = all.map(({ name, title }) => {
    const here = name === guide.name ? ' aria-current="page"' : "";
    return `<li><a href="/${FOLDER}/${name}"${here}>${title}</a></li>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${guide.title} · Plyhouse</title>
${links}
</head>
<body>
<header><a href="/">Plyhouse</a></header>
<main>
${guide.body}</main>
<nav aria-label="Guides"><h2>Guides</h2><ul>
${others.join("\n")}
<li><a href="/${FOLDER}">Operations of the API</a></li>
</ul></nav>
</body>
</html>
`;
}
