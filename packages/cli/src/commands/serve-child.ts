/** Runs the server's program, the first argument, and stops it when the `quire serve` that started it has ended. */
import { pathToFileURL } from 'node:url';

const [program = ''] = process.argv.splice(2, 1);
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// The channel alone must not keep the process alive.
process.channel?.unref();
await import(pathToFileURL(program).href);
