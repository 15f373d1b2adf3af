// `npm run bench`: builds if needed, then measures a new service with a fresh data directory.
import path from 'node:path';
import { bootstrap, root, run } from './bootstrap.mjs';

try {
  const [program = 'main.ts', ...rest] = process.argv.slice(2);
  await bootstrap();
  await run(process.execPath, ['--import', 'tsx', path.join(root, 'bench', program), ...rest], {
    stdio: ['ignore', 1, 2],
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
