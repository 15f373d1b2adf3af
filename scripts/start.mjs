// `npm start`: runs the service in this process, so that it receives signals.
import { bootstrap } from './bootstrap.mjs';

try {
  await bootstrap();
  const { main } = await import('../packages/server/dist/main.js');
  await main('serve', process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
