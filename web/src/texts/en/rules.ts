// The rules of a game on one page.

export const rulesOf = (game: string): string => `Rules of ${game}`;
export const learn = "Learn it on the board";
export const play = "Play";
export const inShort = "In short";
export const variants = "Variants";
export const notation = "How moves are written";
