export const margin = (text) => " " + text;
