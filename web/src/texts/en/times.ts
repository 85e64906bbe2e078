// Times and dates.

const TIME = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

export const timeOf = (moment: Date): string => TIME.format(moment);
/** The day of a moment of this year. */
export const dayOf = (moment: Date): string => DAY.format(moment);
export const dateOf = (moment: Date): string => DATE.format(moment);
/** A day and its time. `at`: in milliseconds since the epoch. */
export const momentOf = (at: number): string => `${dateOf(new Date(at))}, ${timeOf(new Date(at))}`;
