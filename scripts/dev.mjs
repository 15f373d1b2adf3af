// `npm run dev`: compiles on every change and restarts the service after each compilation without errors.
import path from 'node:path';
import { createInterface } from 'node:readline';
import { bootstrap, compiledPackages, root } from './bootstrap.mjs';
import { spawnWithParent } from './child-process/spawn-with-parent.mjs';

const COMPILED = /Found (\d+) errors?\. Watching/;
const START = "import('./packages/server/dist/main.js').then(({ main }) => main('serve'))";

let service;
let restarting = Promise.resolve();
let isStopping = false;

/** Resolves when the service has stopped; it ends its PostgreSQL and parser processes first. */
async function stopService() {
  const running = service;
  if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
  const ended = new Promise((resolve) => running.once('exit', resolve));
  running.kill('SIGTERM');
  await ended;
}

async function restartService() {
  if (isStopping) return;
  await stopService();
  // In a process group of its own, so that Ctrl-C reaches it once, by `stopService`.
  service = spawnWithParent(process.execPath, ['-e', START], { cwd: root, stdio: ['ignore', 1, 2], detached: true });
}

try {
  await bootstrap();
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const watch = [tsc, '-b', ...compiledPackages(), '--watch', '--preserveWatchOutput'];
  const compiler = spawnWithParent(process.execPath, watch, {
    cwd: root,
    stdio: ['ignore', 'pipe', 2],
    detached: true,
  });
  createInterface({ input: compiler.stdout }).on('line', (line) => {
    if (line !== '') console.error(line);
    if (COMPILED.exec(line)?.[1] === '0') restarting = restarting.then(restartService);
  });
  const stop = () => {
    isStopping = true;
    // The whole group, because `tsc` only starts the compiler.
    const { pid } = compiler;
    if (pid !== undefined && compiler.exitCode === null && compiler.signalCode === null) process.kill(-pid, 'SIGTERM');
    restarting = restarting.then(stopService);
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
