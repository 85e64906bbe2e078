// A sentence of which the page draws some parts itself, such as a link. Only the language knows their order.
export type Parts<Part> = readonly (string | Part)[];

/** Draws a link within a sentence. */
export type Link<Part> = (address: string, text: string) => Part;
