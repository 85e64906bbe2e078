// Links to give to somebody, or to take elsewhere.

export const copyLink = "Copy link";
export const copy = "Copy";
export const copied = "Copied";
export const link = "Link";
export const invitation = "Send this link to your friend:";
export const friendsLink = "Link for your friend";
export const showCode = "Show a QR code";
export const code = "QR code of the link";
export const noCode = "The picture could not be loaded.";
export const otherDevice = "Continue on another device";
export const opensSeat = "This link opens your seat: whoever has it can play for you.";
