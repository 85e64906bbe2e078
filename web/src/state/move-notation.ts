// Whether move lists show the codes of moves rather than words; the browser remembers it.

const KEY = "plyhouse-move-codes";

export function showsCodes(): boolean {
  try {
    return localStorage.getItem(KEY) === "true";
  } catch {
    return false;
  }
}

export function keepCodes(isOn: boolean): void {
  try {
    localStorage.setItem(KEY, String(isOn));
  } catch {
    // The page shows words again when it is loaded again.
  }
}
