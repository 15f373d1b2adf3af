// `npm test`: builds first (parser processes run compiled code), then runs all tests, or those of the named paths.
import path from 'node:path';
import { bootstrap, root, run } from './bootstrap.mjs';

try {
  await bootstrap();
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const endWithParent = new URL('./end-with-parent.mjs', import.meta.url).href;
  const args = ['--import', endWithParent, vitest, 'run', ...process.argv.slice(2)];
  await run(process.execPath, args, { stdio: ['pipe', 1, 2] });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
