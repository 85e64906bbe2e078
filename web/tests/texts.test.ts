// The texts of the page stand in src/texts alone: no template and no string elsewhere has words for a reader.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";

const SOURCE = join(import.meta.dirname, "../src");

/** Attributes that are shown or read out, or that elements show. */
const SHOWN =
  /\s(?:aria-(?:label|description|valuetext|roledescription)|title|placeholder|alt|label|heading|none|question|refusal)=(?:"([^"]*)"|([^\s">]+))/g;
/** Stands for an expression within a template. */
const HOLE = "\u0000";
const HOLES = new RegExp(`${HOLE}(?:px|deg)?`, "g");
/** Two words, or a word and an expression. */
const SIDE_BY_SIDE = new RegExp(`\\p{L}{2}[,.:;]? (?:\\p{L}|${HOLE})|${HOLE} (?:\\p{L}{2}|${HOLE})`, "u");

/** Texts that look like words for a reader and are none, by file. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  // Headers of requests.
  "api/http.ts": ["Authorization", "Bearer #"],
  // Classes, and keys of places that the keyboard reaches.
  "boards/common/picture-board.ts": ["zoomed #"],
  "boards/hive.ts": ["to #"],
  "elements/eval-bar.ts": ["known seat-#"],
  "elements/game-clock.ts": ["time # #"],
  // A command.
  "elements/bots-page.ts": ["plyhouse bot --ladder"],
  "elements/ladder-page.ts": ["plyhouse bot --ladder"],
  // Errors of programs, which no reader sees.
  "picture/board.ts": ["There is no board for #.", "The board has no picture."],
  "picture/template.ts": ["A template contains an object that is no template."],
  "state/mistake-session.ts": ["There is no mistake #."],
  // Names of attributes, and of a format.
  "picture/plain-svg.ts": [
    "id d x y x1 y1 x2 y2 cx cy r rx ry width height points viewBox href fill font-size marker-end refX refY",
    "markerWidth markerHeight orient",
  ],
  "state/variations-file.ts": ["plyhouse variations 1"],
};

it("has words for readers in its texts alone", () => {
  const files = (readdirSync(SOURCE, { recursive: true }) as string[])
    .filter((file) => file.endsWith(".ts") && !file.startsWith("texts/"))
    .toSorted();
  const found = files.map((file) => [file, wordsIn(readFileSync(join(SOURCE, file), "utf8"))] as const);
  expect(Object.fromEntries(found.filter(([, words]) => words.length > 0))).toEqual(EXCEPTIONS);
});

it.each([
  ['html`<button class="primary">Send</button>`', ["Send"]],
  ["html`<p>${count} games of <b>${name}</b></p>`", ["# games of"]],
  ['html`<input placeholder="Comment" value="en" />`', ["Comment"]],
  ['html`<button aria-label="Play ${title}">${texts.play}</button>`', ["Play #"]],
  ["html`<plain-button label=Resign></plain-button>`", ["Resign"]],
  ["svg`<text>top</text>`", ["top"]],
  ['const label = "Finished";', ["Finished"]],
  ['const reason = isLate ? "on time" : "";', ["on time"]],
  ["const text = `${count} moves`;", ["# moves"]],
  ["const text = `Round ${round}`;", ["Round #"]],
  ['report("The file has no moves.");', ["The file has no moves."]],
  ['html`<p class="note" role="status">${texts.loading} · <a href="/bots">${texts.bots}</a></p>`', []],
  ['if (event.key === "Escape") board.style.transform = `translate(${x}px, ${y}px)`;', []],
  ['const name = "boardWidth"; document.title = "Plyhouse";', []],
])("sees the words in %s", (source, words) => {
  expect(wordsIn(source)).toEqual(words);
});

/** The words for readers in a source text, with `#` for expressions. */
function wordsIn(source: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node)) {
      if (node.tag.getText() !== "css") found.push(...shownIn(partsOf(node.template)));
      ts.forEachChild(node.template, visit);
    } else if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const text = partsOf(node);
      if (text.startsWith("<")) found.push(...shownIn(text));
      else if (!isCompared(node) && isForReaders(text)) found.push(text);
      ts.forEachChild(node, visit);
    } else if (!ts.isImportDeclaration(node) && !ts.isLiteralTypeNode(node)) ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest, true));
  return found.map((text) => text.replaceAll(HOLE, "#").replace(/\s+/g, " ").trim());
}

/** The text of a literal or template, with holes. */
function partsOf(node: ts.StringLiteralLike | ts.TemplateLiteral): string {
  if (!ts.isTemplateExpression(node)) return node.text;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(HOLE);
}

/** What a template shows: the texts between its tags, and its attributes for readers. */
function shownIn(template: string): string[] {
  const tags = /<!--[^]*?-->|<\/?[a-z][^>]*>/gi;
  const attributes = [...template.matchAll(tags)].flatMap(([tag]) =>
    [...tag.matchAll(SHOWN)].map(([, quoted, bare = ""]) => quoted ?? bare),
  );
  return [...template.split(tags), ...attributes].filter((text) => hasLetters(withoutName(text)));
}

function hasLetters(text: string): boolean {
  return /\p{L}/u.test(text.replace(/&\w+;/g, ""));
}

/** Whether a string looks like a sentence, a part of one, or a label; but not like a selector or a style. */
function isForReaders(text: string): boolean {
  const words = withoutName(text);
  if (/[[\]{}=<>_#]|^\(|:not|\w\(|--/.test(words)) return false;
  const isLabel = /^\p{Lu}\p{Ll}+$/u.test(words);
  return isLabel || (SIDE_BY_SIDE.test(words) && /\p{L}{2}/u.test(words.replaceAll(HOLE, "")));
}

/** Without the name of the place, which no language translates, and without units of styles. */
function withoutName(text: string): string {
  return text.replaceAll("Plyhouse", "").replace(HOLES, HOLE);
}

/** Whether a literal is only compared with a value of programs, such as the name of a key. */
function isCompared({ parent }: ts.Node): boolean {
  return (
    ts.isCaseClause(parent) ||
    (ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText()))
  );
}
