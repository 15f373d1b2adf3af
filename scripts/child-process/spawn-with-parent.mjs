/**
 * Starts child processes that end with this process, also if it is killed. A watchdog in a session of its own reads a
 * pipe of this process. When the pipe closes, it ends the children that still run.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const WATCHDOG = fileURLToPath(new URL('watchdog.mjs', import.meta.url));

let watchdog;

/** As `spawn` of Node. A detached child ends with its whole process group. */
export function spawnWithParent(command, args, options = {}) {
  watchdog ??= startWatchdog();
  const child = spawn(command, args, options);
  if (child.pid === undefined) return child;
  const target = options.detached === true ? -child.pid : child.pid;
  watchdog.write(`watch ${target}\n`);
  child.once('exit', () => watchdog.write(`forget ${target}\n`));
  const kill = child.kill.bind(child);
  child.kill = (signal) => {
    // A service that stops already would end at once by a second signal, and leave its PostgreSQL behind.
    watchdog.write(`stopping ${target}\n`);
    return kill(signal);
  };
  return child;
}

function startWatchdog() {
  // In a session of its own, so that neither Ctrl-C nor a signal to the process group reaches it.
  const started = spawn(process.execPath, [WATCHDOG], { stdio: ['pipe', 'ignore', 'inherit'], detached: true });
  started.unref();
  started.stdin.unref();
  return started.stdin;
}
