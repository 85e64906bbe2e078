// The rules of style sheets that hold for an element of a picture: which selectors match, in the order of the cascade, and
// custom properties with their inheritance. Media queries do not hold, nor do states such as `:hover`, as nobody points at a
// picture. Elements with the same name, classes and ancestors share one Style, so that each is matched once.
// Called by the drawing of pictures.
import { AttributeAction, SelectorType, parse, type Selector } from "css-what";
import { compile } from "stylis";

export type Theme = "light" | "dark";

type Declaration = readonly [property: string, value: string];

interface Rule {
  /** From left to right, combinators included. */
  readonly selector: readonly Selector[];
  readonly specificity: number;
  readonly declarations: readonly Declaration[];
}

/** The rules of style sheets, in the order in which later ones override earlier ones. */
export function rulesOf(sheets: readonly string[]): Rule[] {
  const rules = sheets
    .flatMap((sheet) => compile(sheet))
    .flatMap((element): Rule[] => {
      if (element.type !== "rule" || !Array.isArray(element.children)) return [];
      const declarations = element.children.flatMap(({ type, props, children }): Declaration[] =>
        type === "decl" && typeof props === "string" && typeof children === "string"
          ? [[props, children]]
          : [],
      );
      return [element.props]
        .flat()
        .flatMap((text) =>
          parse(text).map((selector) => ({ selector, specificity: specificityOf(selector), declarations })),
        );
    });
  return rules.toSorted((one, other) => one.specificity - other.specificity);
}

/** Classes count more than names of elements. */
function specificityOf(selector: readonly Selector[]): number {
  return selector.reduce((sum, token) => {
    if (token.type === SelectorType.Tag) return sum + 1;
    if (token.type === SelectorType.Attribute) return sum + 1000;
    if (token.type !== SelectorType.Pseudo) return sum;
    return sum + (Array.isArray(token.data) ? Math.max(...token.data.map(specificityOf)) : 1000);
  }, 0);
}

/** What rules say about the elements of one name, with these classes and ancestors. */
export class Style {
  private readonly inner = new Map<string, Style>();
  private readonly declared = new Map<string, string>();
  private readonly variables: Readonly<Record<string, string>>;

  private constructor(
    private readonly sheet: { readonly rules: readonly Rule[]; readonly theme: Theme },
    private readonly parent: Style | null,
    private readonly tag: string,
    private readonly classes: readonly string[],
    own: readonly Declaration[],
  ) {
    const variables = Object.create(parent?.variables ?? null) as Record<string, string>;
    const holding = sheet.rules.filter(({ selector }) => this.matches(selector));
    for (const [name, value] of [...holding.flatMap(({ declarations }) => declarations), ...own]) {
      if (name.startsWith("--")) variables[name] = value;
      else this.declared.set(name, value);
    }
    this.variables = variables;
  }

  /** The style of the root of a tree. `own`: custom properties that are set on it. */
  static root(rules: readonly Rule[], theme: Theme, own: Readonly<Record<string, string>> = {}): Style {
    return new Style({ rules, theme }, null, ROOT, [], Object.entries(own));
  }

  /** The style of an element inside. `own`: the custom properties of its attribute `style`. */
  of(tag: string, classes: string, own: readonly Declaration[]): Style {
    const key = `${tag} ${classes} ${own.join(";")}`;
    const known = this.inner.get(key);
    if (known !== undefined) return known;
    const style = new Style(this.sheet, this, tag, classes.split(/\s+/), own);
    this.inner.set(key, style);
    return style;
  }

  /** The value of a property that is set on these elements, without variables; undefined if it is not set. */
  get(property: string): string | undefined {
    const value = this.declared.get(property);
    return value === undefined ? undefined : this.resolve(value);
  }

  /** The value with variables and colours of the theme in place; undefined if it names a variable that is not set. */
  resolve(value: string): string | undefined {
    let [before, after] = ["", value];
    while (before !== after) {
      before = after;
      after = before
        .replace(/\blight-dark\(([^(),]*),([^(),]*)\)/g, (_, light: string, dark: string) =>
          (this.sheet.theme === "light" ? light : dark).trim(),
        )
        .replace(/\bvar\((--[\w-]+)(?:,([^()]*))?\)/g, (whole, name: string, otherwise?: string) =>
          (this.variables[name] ?? otherwise ?? whole).trim(),
        );
    }
    return after.includes("var(") ? undefined : after;
  }

  // ---- selectors -----------------------------------------------------------------------------

  private matches(selector: readonly Selector[]): boolean {
    const at = selector.findLastIndex(
      ({ type }) => type === SelectorType.Descendant || type === SelectorType.Child,
    );
    if (!selector.slice(at + 1).every((token) => this.has(token))) return false;
    const before = selector.slice(0, Math.max(0, at));
    if (at < 0) return true;
    if (selector[at]?.type === SelectorType.Child) return this.parent?.matches(before) ?? false;
    for (let outer = this.parent; outer !== null; outer = outer.parent)
      if (outer.matches(before)) return true;
    return false;
  }

  /** Whether a part of a selector is true: of attributes, only classes are known, and of states, none. */
  private has(token: Selector): boolean {
    switch (token.type) {
      case SelectorType.Universal:
        return true;
      case SelectorType.Tag:
        return token.name === this.tag;
      case SelectorType.Attribute:
        return (
          token.name === "class" &&
          token.action === AttributeAction.Element &&
          this.classes.includes(token.value)
        );
      case SelectorType.Pseudo:
        if (token.name === "host" || token.name === "root") return this.tag === ROOT && token.data === null;
        if (token.name !== "not" || !Array.isArray(token.data)) return false;
        return !token.data.some((selector) => this.matches(selector));
      default:
        return false;
    }
  }
}

/** The name of the element that the styles call `:host`. */
const ROOT = ":host";
