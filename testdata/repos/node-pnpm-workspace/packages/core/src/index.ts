export const crops: string[] = [];
