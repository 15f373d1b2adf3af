// `npm run bench`: builds if needed, then measures a new service with a fresh data directory.
import path from 'node:path';
import { bootstrap, root } from './bootstrap.mjs';
import { runGroup } from './child-process/run-group.mjs';

try {
  const [program = 'main.ts', ...rest] = process.argv.slice(2);
  await bootstrap();
  const script = path.join(root, 'bench', program);
  process.chdir(root);
  process.exitCode = await runGroup(process.execPath, ['--import', 'tsx', script, ...rest]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
