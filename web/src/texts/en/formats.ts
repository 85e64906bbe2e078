// Numbers, times and lists.

const TIME = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const LIST = new Intl.ListFormat("en-GB");

export const timeOf = (moment: Date): string => TIME.format(moment);
/** The day of a moment of this year. */
export const dayOf = (moment: Date): string => DAY.format(moment);
export const dateOf = (moment: Date): string => DATE.format(moment);
/** `You, Ada and Bo`. */
export const list = (items: readonly string[]): string => LIST.format(items);
/** A count, such as `1,607`. */
export const number = (value: number): string => value.toLocaleString("en");
export const decimal = (value: number, digits: number): string => value.toFixed(digits);
export const percent = (value: number): string => `${value} %`;
