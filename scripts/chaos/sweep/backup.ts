/** A backup under a tracer: however it ends, its file is complete or absent. */
import { once } from 'node:events';
import { createReadStream, existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { readArchive } from '../../../packages/server/src/backup/archive.ts';
import { spawnWithParent } from '../../child-process/spawn-with-parent.mjs';
import type { System } from '../system.ts';

const MAIN = JSON.stringify(new URL('../../../packages/server/dist/main.js', import.meta.url).href);

export interface BackupEnd {
  /** Whether the process was killed. */
  killed: boolean;
  /** Broken promises. */
  faults: string[];
}

/** Runs `npm run backup` without npm on the data of the running service. */
export async function tracedBackup(system: System, args: readonly string[]): Promise<BackupEnd> {
  const file = path.join(system.folder, 'backup.tar');
  const program = `import(${MAIN}).then(({ main }) => main('backup', [${JSON.stringify(file)}])).catch((error) => {
    process.stderr.write(String(error));
    process.exitCode = 3;
  });`;
  const child = spawnWithParent('strace', ['-f', ...args, process.execPath, '-e', program], {
    env: { ...process.env, ...system.environment, UV_THREADPOOL_SIZE: '1', QUIRE_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let printed = '';
  child.stderr.on('data', (text: Buffer) => (printed += text.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  // The tracer ends by the signal of its child.
  const killed = signal !== null || code === 137;
  const faults: string[] = [];
  if (existsSync(file)) {
    await readArchive(createReadStream(file), async (_name, _size, content) => void content.resume()).catch(
      (error: unknown) => faults.push(`the file of the backup is not complete: ${String(error)}`),
    );
  } else if (code === 0) faults.push(`a backup that succeeded has no file: ${printed}`);
  if (!killed && code !== 0 && code !== 3) faults.push(`the backup ended with ${code}: ${printed}`);
  if (!killed && readdirSync(system.folder).includes('backup.tar.partial'))
    faults.push(`a backup that ended with ${code} left its partial file: ${printed}`);
  rmSync(file, { force: true });
  return { killed, faults };
}
