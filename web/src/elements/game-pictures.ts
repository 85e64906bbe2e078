// The small picture of each game, `pictures/<game>.svg`, for the lobby; <game-card> colours its classes.
import { unsafeHTML } from "lit/directives/unsafe-html.js";

const files = import.meta.glob<string>("../pictures/*.svg", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** The picture of a game, which is part of the page's code; nothing for games without one. */
export function pictureOf(game: string): unknown {
  return unsafeHTML(files[`../pictures/${game}.svg`] ?? "");
}
