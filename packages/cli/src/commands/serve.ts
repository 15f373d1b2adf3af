/** `quire serve`: starts the service if `@quire/server` is installed beside the command. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandError, EXIT, type ExitCode } from '../exit-code.ts';

const CHILD = fileURLToPath(new URL('serve-child.js', import.meta.url));

/** Runs until the service ends. Signals of the terminal reach both processes; the service stops if this one ends. */
export async function serve(args: readonly string[]): Promise<ExitCode> {
  const program = findServer();
  // The channel closes with this process, also if it is killed.
  const child = spawn(process.execPath, [CHILD, program, ...args], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.on('SIGTERM', forward);
  const [code] = (await once(child, 'exit')) as [number | null];
  process.off('SIGTERM', forward);
  return code === 0 ? EXIT.ok : EXIT.failed;
}

/** Returns the server's program, looked up from the working directory and from this package. */
function findServer(): string {
  for (const from of [path.join(process.cwd(), 'x.js'), import.meta.url]) {
    try {
      return createRequire(from).resolve('@quire/server/bin/quire-server.mjs');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw new CommandError('the server is not installed here', {
    exitCode: EXIT.state,
    next: 'Install it with `npm install @quire/server`, or run `npx @quire/server`.',
  });
}
