// Loaded with `--import`: ends the process with SIGTERM when its standard input, a pipe of its parent, closes.
import { fstatSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Threads and child processes inherit the option, but not the pipe.
if (isMainThread && fstatSync(0).isSocket()) {
  process.stdin.once('end', () => process.kill(process.pid, 'SIGTERM')).resume();
  process.stdin.unref();
}
