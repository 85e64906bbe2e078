// The games of lists, each in a row.

export const evaluationOn = ", evaluation on";
export const analysis = "Analysis";
