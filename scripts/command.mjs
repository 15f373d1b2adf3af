// `npm run keys`, `npm run reindex`, …: runs a command of the service on the data named by the settings.
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
