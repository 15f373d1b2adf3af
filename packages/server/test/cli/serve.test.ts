/** `quire serve` with a program in the place of the service: it ends with the command, also if that is killed. */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { spawnWithParent } from '../../../../scripts/child-process/spawn-with-parent.mjs';
import { isRunning } from '../service-process.ts';

const PROGRAM = fileURLToPath(new URL('../../../cli/bin/quire.mjs', import.meta.url));
/** Prints its process id and arguments, and ends with the status 0 after SIGTERM. */
const SERVER = `
process.on('SIGTERM', () => process.exit(0));
console.log(JSON.stringify({ pid: process.pid, args: process.argv.slice(2) }));
setInterval(() => undefined, 1_000);
`;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'quire-serve-'));
  const server = path.join(folder, 'node_modules', '@quire', 'server');
  mkdirSync(path.join(server, 'bin'), { recursive: true });
  writeFileSync(path.join(server, 'package.json'), '{ "name": "@quire/server", "version": "0.0.0" }');
  writeFileSync(path.join(server, 'bin', 'quire-server.mjs'), SERVER);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function serve(...args: string[]) {
  const command = spawnWithParent(process.execPath, [PROGRAM, 'serve', ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line]: unknown[] = await once(command.stdout, 'data');
  return { command, server: JSON.parse(String(line)) as { pid: number; args: string[] } };
}

test('the arguments reach the service, and SIGTERM ends it with the status 0', async () => {
  const { command, server } = await serve('keys', 'list');
  expect(server.args).toEqual(['keys', 'list']);
  command.kill('SIGTERM');
  expect(await once(command, 'exit')).toEqual([0, null]);
  expect(isRunning(server.pid)).toBe(false);
});

test('a killed command leaves no service', async () => {
  const { command, server } = await serve();
  command.kill('SIGKILL');
  await expect.poll(() => isRunning(server.pid)).toBe(false);
});
