/** Runs a command of the built service, as the scripts of the repository do. */
import { text } from 'node:stream/consumers';
import { spawnWithParent } from '../../../scripts/child-process/spawn-with-parent.mjs';

const main = new URL('../dist/main.js', import.meta.url).href;

export interface Ran {
  code: number | null;
  out: string;
  error: string;
}

export async function runCommand([command, ...args]: readonly string[], env: Record<string, string>): Promise<Ran> {
  const script = `import(${JSON.stringify(main)})
    .then(({ main }) => main(${JSON.stringify(command)}, ${JSON.stringify(args)}))
    .catch((error) => { console.error(error.message); process.exitCode = 1; });`;
  const child = spawnWithParent(process.execPath, ['-e', script], {
    env: { ...process.env, QUIRE_PORT: '0', QUIRE_LOG_LEVEL: 'fatal', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out, error };
}
