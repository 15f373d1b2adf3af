// `npm run keys`, `npm run reindex`, …: runs a command of the service on the data named by the settings.
import { bootstrap } from './bootstrap.mjs';

const [command, ...rest] = process.argv.slice(2);
// A reader that has seen enough, such as `head`, ends a list. A backup that is not read to its end fails by itself.
if (command !== 'backup')
  process.stdout.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });

try {
  await bootstrap();
  const { main } = await import('../packages/server/dist/main.js');
  await main(command, rest);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
