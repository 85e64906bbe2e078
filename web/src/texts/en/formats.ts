// Numbers and lists. The host that draws pictures has no `Intl`, so nothing here uses it before it is called.

/** `You, Ada and Bo`. */
export const list = (items: readonly string[]): string => new Intl.ListFormat("en-GB").format(items);
/** A count, such as `1,607`. */
export const number = (value: number): string => value.toLocaleString("en");
export const decimal = (value: number, digits: number): string => value.toFixed(digits);
export const percent = (value: number): string => `${value} %`;
