// `npm run keys`, `npm run reindex`, …: one of the service's commands, on the data that the settings name.
import { bootstrap } from './bootstrap.mjs';

try {
  await bootstrap();
  const [command, ...rest] = process.argv.slice(2);
  const { main } = await import('../packages/server/dist/main.js');
  await main(command, rest);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
