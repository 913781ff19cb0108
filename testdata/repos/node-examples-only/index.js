export const open = () => true;
