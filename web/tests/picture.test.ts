// The parts of the pictures that are drawn without a page: templates, the cascade, and what becomes of both.
import { readFileSync } from "node:fs";
import { html, nothing, svg } from "lit";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import { describe, expect, it } from "vitest";
import { Style, rulesOf, type Theme } from "../src/picture/cascade";
import { written } from "../src/picture/plain-svg";
import { nodesOf } from "../src/picture/template";
import { drawText, linesOf } from "../src/picture/text";

function drawn(template: unknown, css: string, theme: Theme = "light"): string {
  return written(nodesOf(template), Style.root(rulesOf([css]), theme));
}

describe("templates", () => {
  it("are read like documents", () => {
    const items = [1, svg`<path d=${"M0 0"}/>`, null, nothing, ""];
    const nodes = nodesOf(
      html`<div class="a ${"b"}" ?hidden=${true} @click=${() => 1} data-x=${nothing}>
        <!-- not shown --><br />${items}${"<i>"}
      </div>`,
    );
    expect(nodes).toEqual([
      {
        tag: "div",
        attributes: { class: "a b" },
        children: [
          { tag: "br", attributes: {}, children: [] },
          "1",
          { tag: "path", attributes: { d: "M0 0" }, children: [] },
          "<i>",
          expect.stringMatching(/^\s+$/),
        ],
      },
    ]);
  });

  it("contain directives", () => {
    const item = (n: number): unknown => svg`<circle r=${n}/>`;
    const nodes = nodesOf(svg`${repeat([1, 2], (n) => n, item)}${guard([1], () => item(3))}`);
    expect(nodes.map((node) => (typeof node === "string" ? node : node.attributes.r))).toEqual([
      "1",
      "2",
      "3",
    ]);
  });

  it("refuse other objects", () => {
    expect(() => nodesOf({})).toThrow("no template");
  });
});

describe("the cascade", () => {
  it.each([
    ["path { fill: a }", "a"],
    [".x { fill: a } path { fill: b }", "a"],
    [".x { fill: a } .x { fill: b }", "b"],
    ["g .x { fill: a } .x { fill: b }", "a"],
    ["g > .x { fill: a } svg .x { fill: b }", "a"],
    [".y > .x { fill: b } g:not(.y) .x { fill: a }", "a"],
    [".x:hover { fill: b } .x:focus-visible { fill: b } .x { fill: a }", "a"],
    ["@media (hover: hover) { .x { fill: b } } .x { fill: a }", "a"],
    [":host { --c: a } .x { fill: var(--c) }", "a"],
    [":host { --c: b } g { --c: a } .x { fill: var(--c) }", "a"],
    [".x { fill: var(--none, light-dark(a, b)) }", "a"],
    [":host { --c: light-dark(var(--d), b); --d: a } .x { fill: var(--c) }", "a"],
  ])("%s", (css, fill) => {
    expect(drawn(svg`<g><path class="x" d="M0 0"/></g>`, css)).toBe(`<g><path d="M0 0" fill="${fill}"/></g>`);
  });

  it("leaves out what names a variable that is not set", () => {
    expect(drawn(svg`<path/>`, "path { fill: var(--none) }")).toBe("<path/>");
  });

  it("has two themes", () => {
    expect(drawn(svg`<path/>`, "path { fill: light-dark(a, b) }", "dark")).toBe('<path fill="b"/>');
  });
});

describe("plain SVG", () => {
  it.each([
    [
      svg`<g style="transform: translate(3px, 4px) rotate(180deg)"/>`,
      "",
      '<g transform="translate(3, 4) rotate(180)"/>',
    ],
    [
      svg`<g transform="scale(2)" style="--s: 1.5"/>`,
      "g { scale: var(--s) }",
      '<g transform="scale(1.5) scale(2)"/>',
    ],
    [
      svg`<g transform="scale(4)"><path/></g>`,
      "path { stroke-width: 6; stroke-dasharray: 8 4; vector-effect: non-scaling-stroke }",
      '<g transform="scale(4)"><path stroke-width="1.5" stroke-dasharray="2 1"/></g>',
    ],
    [svg`<text class="t">a&b</text>`, ".t { font: 700 15px system-ui }", null],
    [svg`<g class="no"><path/></g><path/>`, ".no { display: none }", "<path/>"],
    [svg`<g tabindex="0" role="img" data-x="1" aria-label="x"><title>T</title></g>`, "", "<g/>"],
  ])("%#", (template, css, expected) => {
    expect(drawn(template, css)).toBe(expected ?? '<text font-weight="700" font-size="15">a&#38;b</text>');
  });
});

describe("texts", () => {
  const label = { x: 0, y: 0, size: 20, colour: "red", width: 100 };

  it("fit into their width", () => {
    expect(drawText("Ada", label)).toContain('font-size="20.0"');
    expect(drawText("Ada Lovelace", label)).toMatch(/font-size="16.0".*…<\/text>$/);
    expect(linesOf("one two three four five six", 8, 2)).toHaveLength(2);
    expect(linesOf("x".repeat(99), 8, 3)[0]).toMatch(/…$/);
  });

  it("are text", () => {
    expect(drawText('<&">', label)).toContain(">&#60;&#38;&#34;&#62;</text>");
  });

  it("have a box for a letter that the font lacks", () => {
    expect(drawText("é名😀", label)).toContain(">é□□</text>");
  });

  it("know the letters of the font", () => {
    const [, told] =
      /--unicodes=(\S+)/.exec(readFileSync("../engines/pictures/fonts/README.md", "utf8")) ?? [];
    expect(readFileSync("src/picture/text.ts", "utf8").replace(/," \+\s*"/, ",")).toContain(
      `"${told ?? "?"}"`,
    );
  });
});
