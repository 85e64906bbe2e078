// The server of embedded elements that name none: the one that the script came from.

let home = location.origin;

export function setHome(origin: string): void {
  home = origin;
}

/** The origin of the server that an element means; `named` is its attribute, empty where it has none. */
export function serverOf(named: string): string {
  return named === "" ? home : new URL(named, location.href).origin;
}
