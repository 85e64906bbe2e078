// Whether move lists show the codes of moves rather than words; the browser remembers it.
import { store, stored } from "./stored";

const KEY = "plyhouse-move-codes";

export function showsCodes(): boolean {
  return stored(KEY, false);
}

export function keepCodes(isOn: boolean): void {
  store(KEY, isOn);
}
