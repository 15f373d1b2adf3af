// `npm run bench`: builds if needed, then measures a new service with a fresh data directory.
import path from 'node:path';
import { bootstrap, root, run } from './bootstrap.mjs';

try {
  const [program = 'main.ts', ...rest] = process.argv.slice(2);
  await bootstrap();
  const endWithParent = new URL('./end-with-parent.mjs', import.meta.url).href;
  const script = path.join(root, 'bench', program);
  await run(process.execPath, ['--import', endWithParent, '--import', 'tsx', script, ...rest], {
    stdio: ['pipe', 1, 2],
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
