package confine

// careful has no counterpart here: a root does not follow links out of it.
const careful = 0
