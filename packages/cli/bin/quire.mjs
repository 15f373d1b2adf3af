#!/usr/bin/env node
// The command `quire`. npm links it at install, when `dist` does not exist yet in a clone.
await import('../dist/main.js');
