// What players offer each other, by its kind.

type Kind = "takeback" | "draw" | "rematch";

export const asks: Readonly<Record<Kind, (name: string) => string>> = {
  takeback: (name) => `${name} asks for a takeback.`,
  draw: (name) => `${name} offers a draw.`,
  rematch: (name) => `${name} offers a rematch.`,
};
export const asked: Readonly<Record<Kind, string>> = {
  takeback: "You asked for a takeback.",
  draw: "You offered a draw.",
  rematch: "You offered a rematch.",
};
export const declined: Readonly<Record<Kind, string>> = {
  takeback: "The takeback was declined.",
  draw: "The draw was declined.",
  rematch: "The rematch was declined.",
};
export const lost = (kind: Kind): string =>
  `The line was lost for a moment: your offer (${kind}) is not open.`;
