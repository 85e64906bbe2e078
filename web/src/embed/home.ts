// The default server of embedded elements: the one that the script was loaded from.
import * as texts from "#texts/embed";

let home = location.origin;

export function setHome(origin: string): void {
  home = origin;
}

/** The origin of an element's server; `named` is its attribute, empty if it has none. */
export function serverOf(named: string): string {
  return named === "" ? home : new URL(named, location.href).origin;
}

/** What is wrong with an element's address of its server, for the author of the page; empty if nothing is. */
export function serverFault(named: string): string {
  return URL.canParse(named, location.href) ? "" : texts.badServer(named);
}

/** What is wrong with the attributes of an element, likewise. */
export function faultOf(gameId: string, server: string): string {
  if (gameId.trim() === "") return texts.noGameId;
  return serverFault(server);
}

/** The text of an attribute; empty without it. */
export const textAttribute = { fromAttribute: (value: string | null): string => value ?? "" };
