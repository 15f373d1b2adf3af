// `npm test`: builds first (parser processes run compiled code), then runs all tests, or those of the named paths.
import path from 'node:path';
import { bootstrap, root } from './bootstrap.mjs';
import { runGroup } from './child-process/run-group.mjs';

try {
  await bootstrap();
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  process.chdir(root);
  process.exitCode = await runGroup(process.execPath, [vitest, 'run', ...process.argv.slice(2)]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
