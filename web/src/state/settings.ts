// What a person has set for this browser, in its storage. The colours, coordinates and animations of the whole page follow
// from properties of the document; the rest is read where it is needed. Called by the settings sheet and the pages.
import { store, stored } from "./stored";

const KEY = "plyhouse-settings";

export interface Settings {
  readonly theme: "system" | "light" | "dark";
  readonly sounds: boolean;
  /** Whether a complete move waits for a button before it is sent. */
  readonly confirmation: boolean;
  readonly coordinates: boolean;
  readonly animation: boolean;
  /** Whether the browser notifies when it is the person's move and the page is hidden. */
  readonly notifications: boolean;
}

const USUAL: Settings = {
  theme: "system",
  sounds: true,
  confirmation: false,
  coordinates: true,
  animation: true,
  notifications: false,
};

let current = kept();

/** The settings as they are now. */
export function settings(): Settings {
  return current;
}

export function set(part: Partial<Settings>): void {
  current = { ...current, ...part };
  store(KEY, current);
  apply();
}

/** Dresses the document. */
export function apply(): void {
  const { style } = document.documentElement;
  const { theme, coordinates, animation } = current;
  style.colorScheme = theme === "system" ? "" : theme;
  style.setProperty("--coordinates", coordinates ? "" : "none");
  style.setProperty("--motion", animation ? "" : "0");
}

/** What was stored; members that are missing or of another kind are as usual. */
function kept(): Settings {
  const isKept = ([name, value]: [string, unknown]): boolean =>
    typeof value === typeof USUAL[name as keyof Settings];
  const found = Object.entries(stored<Record<string, unknown>>(KEY, {})).filter(isKept);
  return { ...USUAL, ...Object.fromEntries(found) };
}
