// The default server of embedded elements: the one that the script was loaded from.

let home = location.origin;

export function setHome(origin: string): void {
  home = origin;
}

/** The origin of an element's server; `named` is its attribute, empty if it has none. */
export function serverOf(named: string): string {
  return named === "" ? home : new URL(named, location.href).origin;
}
