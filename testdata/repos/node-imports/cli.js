#!/usr/bin/env node
import { start } from "./lib/start.js";

await start();
