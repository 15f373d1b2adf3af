/**
 * `npm run new-user`: the way of a new user from the packed packages alone. Installs the tarballs in an empty folder as
 * an ordinary user. With Node 20, 22 and 24, starts the service on no data, signs in, adds a folder of files, gets a
 * cited answer, and connects by MCP. Prints the time of each step. Exits with 1 if a step fails, or if the first cited
 * answer takes longer than two minutes from the start of the service. Fetches dependencies and runtimes.
 * `--folder PATH` uses and keeps that folder, so that a second run installs nothing; `--built` does not build.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runtimes, type Runtime } from '../client-runtimes/runtimes.ts';
import { Shell, type Account } from './shell.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Maximum time from the start of the service to the first cited answer, in milliseconds. */
const MAX_ANSWER_MS = 120_000;
const QUESTION = 'When does the harbour office close on Fridays?';
const OFFICE = '# Harbour office\n\nThe office opens at eight. On Fridays it closes at three in the afternoon.';
const RATES = '<h1>Rates</h1><table><tr><th>Berth</th><th>Crowns</th></tr><tr><td>North</td><td>40</td></tr></table>';
const REQUESTS = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'new-user', version: '1' } },
  },
  { id: 2, method: 'tools/call', params: { name: 'search', arguments: { query: QUESTION } } },
];
/** The account `nobody`, if this process may change accounts. */
const ACCOUNT: Account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Makes a folder of the account. */
function makeFolder(...parts: string[]): string {
  const folder = path.join(...parts);
  mkdirSync(folder, { recursive: true });
  if (ACCOUNT.uid !== undefined) chownSync(folder, ACCOUNT.uid, ACCOUNT.gid ?? 0);
  return folder;
}

/** Writes the user's files: the guide as Markdown, and three of other formats. */
function writeFiles(folder: string): void {
  cpSync(path.join(root, 'docs/guide'), path.join(folder, 'manual'), { recursive: true });
  writeFileSync(path.join(folder, 'office.md'), OFFICE);
  writeFileSync(path.join(folder, 'rates.html'), RATES);
  writeFileSync(path.join(folder, 'boats.csv'), 'name,length\nAda,7.5\nBerta,9\n');
}

/** Returns a shell in the app's folder that runs programs with this Node version. */
function shellOf({ name, program }: Runtime, folder: string): Shell {
  const bin = path.join(folder, 'bin', name.replaceAll(/\W/g, '-'));
  mkdirSync(bin, { recursive: true });
  if (!existsSync(path.join(bin, 'node'))) symlinkSync(program, path.join(bin, 'node'));
  const home = makeFolder(folder, 'home');
  return new Shell({ app: path.join(folder, 'app'), home, bin, cache: makeFolder(folder, 'cache'), account: ACCOUNT });
}

async function tryWith(shell: Shell, name: string): Promise<void> {
  const startedAt = performance.now();
  const service = await shell.serve();
  try {
    await shell.step('login', ['npx', 'quire', 'login', service.address], { input: `${service.key}\n` });
    await shell.step('add', ['npx', 'quire', 'add', 'papers', '-c', 'Papers'], {});
    const ask = ['npx', 'quire', 'ask', QUESTION, '-c', 'Papers', '--text'];
    await shell.step('ask', ask, { expected: ['three in the afternoon', '[1] office.md'] });
    const answerMs = performance.now() - startedAt;
    const input = REQUESTS.map((request) => `${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`).join('');
    await shell.step('mcp', ['npx', 'quire', 'mcp'], { input, expected: ['"serverInfo"', 'closes at three'] });
    await shell.step('doctor', ['npx', 'quire', 'doctor', '--text'], { expected: ['ok      key: admin'] });
    const load = (loadavg()[0] ?? 0) / availableParallelism();
    const first = `first cited answer ${(answerMs / 1000).toFixed(1)} s after the start`;
    console.log(`${name}: ${shell.report()}; ${first} (load ${load.toFixed(1)} a core)`);
    if (answerMs > MAX_ANSWER_MS) process.exitCode = 1;
  } finally {
    await service.stop();
  }
}

const { values } = parseArgs({ options: { folder: { type: 'string' }, built: { type: 'boolean' } } });
const folder = values.folder ?? mkdtempSync(path.join(tmpdir(), 'quire-new-user-'));
mkdirSync(folder, { recursive: true });
chmodSync(folder, 0o755);
try {
  const app = makeFolder(folder, 'app');
  const isInstalled = existsSync(path.join(app, 'node_modules'));
  for (const runtime of runtimes(path.join(folder, 'runtimes'))) {
    if (!runtime.name.startsWith('Node')) continue;
    const shell = shellOf(runtime, folder);
    if (!isInstalled && !existsSync(path.join(app, 'node_modules'))) {
      const args = ['run', '--silent', 'pack', ...(values.built === true ? ['--', '--built'] : [])];
      execFileSync('npm', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
      const packed = path.join(folder, 'packages');
      cpSync(path.join(root, 'dist-packages'), packed, { recursive: true });
      const tarballs = readdirSync(packed).filter((each) => each.endsWith('.tgz'));
      const files = tarballs.map((each) => path.join(packed, each));
      // Install scripts are not needed; that of ONNX Runtime would fetch 300 MB for graphics cards.
      await shell.step('install', ['npm', 'install', '--ignore-scripts', ...files], {});
    }
    writeFiles(makeFolder(app, 'papers'));
    rmSync(path.join(app, 'data'), { recursive: true, force: true });
    await tryWith(shell, runtime.name);
  }
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}
