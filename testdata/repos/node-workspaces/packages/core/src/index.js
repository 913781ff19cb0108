export const trees = ["apple", "pear"];
