/** The `quire` command. */
import { setMaxListeners } from 'node:events';
import { createRequire } from 'node:module';
import { EXIT } from './exit-code.ts';
import { run } from './run.ts';

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };
const interrupted = new AbortController();
// Each parallel call listens to the signal.
setMaxListeners(0, interrupted.signal);

// The first Ctrl-C stops cleanly, a second one ends the process at once.
process.on('SIGINT', () => {
  if (interrupted.signal.aborted) process.exit(EXIT.interrupted);
  interrupted.abort(new Error('interrupted'));
});
process.on('SIGTERM', () => interrupted.abort(new Error('ended by a signal')));
// A reader that closes the pipe (`quire ls | head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.ok);
  throw error;
});

const { stdin, stdout, stderr, env } = process;
process.exitCode = await run(
  process.argv.slice(2),
  { stdin, stdout, stderr, env, signal: interrupted.signal },
  version,
);
