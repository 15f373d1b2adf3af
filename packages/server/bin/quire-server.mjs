#!/usr/bin/env node
// `quire-server [COMMAND]`: runs the service, or a command on the data named by the settings.
import { main } from '../dist/main.js';

try {
  const [command, ...rest] = process.argv.slice(2);
  await main(command, rest);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
