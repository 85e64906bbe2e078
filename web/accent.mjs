// Writes a copy of a language's texts in which every letter has an accent, so that what a page says elsewhere stands out.
// Called by tools/untranslated.py: `node accent.mjs FROM TO`, both folders of texts.
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import ts from "typescript";

const [from, to] = process.argv.slice(2);
const ACUTE = "\u0301";
/** The members of a lesson that are no texts. */
const MACHINE = new Set(["start", "rest", "goal", "accept"]);

for (const file of readdirSync(from, { recursive: true })) {
    if (!statSync(join(from, file)).isFile()) continue;
    const source = readFileSync(join(from, file), "utf8");
    mkdirSync(dirname(join(to, file)), { recursive: true });
    writeFileSync(join(to, file), accentedFile(file, source));
}

function accentedFile(file, source) {
    if (file.endsWith(".ts")) return accentedModule(source);
    return file.startsWith("lessons") ? JSON.stringify(accentedLesson(JSON.parse(source))) : source;
}

function accentedModule(source) {
    const edits = [];
    const visit = (node) => {
        if (ts.isImportDeclaration(node) || ts.isLiteralTypeNode(node) || isForPrograms(node)) return;
        const isText =
            ts.isStringLiteralLike(node) ||
            ts.isTemplateHead(node) ||
            ts.isTemplateMiddleOrTemplateTail(node);
        if (isText && !node.text.startsWith("/")) edits.push(node);
        ts.forEachChild(node, visit);
    };
    const tree = ts.createSourceFile("texts.ts", source, ts.ScriptTarget.Latest, true);
    visit(tree);
    return edits.toReversed().reduce((text, node) => {
        const [start, end] = [node.getStart(tree), node.getEnd()];
        return text.slice(0, start) + accented(text.slice(start, end)) + text.slice(end);
    }, source);
}

/** Whether it is an argument of a formatter, or the key of a member. */
function isForPrograms(node) {
    const { parent } = node;
    if (ts.isNewExpression(node)) return true;
    if (ts.isCallExpression(node)) return /\.toLocaleString$/.test(node.expression.getText());
    return parent !== undefined && ts.isPropertyAssignment(parent) && parent.name === node;
}

function accentedLesson(part, key = "") {
    if (MACHINE.has(key)) return part;
    if (key === "wrong") return part.map(([pattern, sentence]) => [pattern, accented(sentence)]);
    if (typeof part === "string") return accented(part);
    if (Array.isArray(part)) return part.map((each) => accentedLesson(each));
    return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, accentedLesson(each, name)]));
}

/** Escapes stay as they are. */
function accented(text) {
    return text.replace(/\\u[0-9a-f]{4}|\\.|\p{L}/giu, (sign) =>
        sign.startsWith("\\") ? sign : sign + ACUTE,
    );
}
