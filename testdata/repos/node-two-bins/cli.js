#!/usr/bin/env node
console.log("meadow 1.0.0");
