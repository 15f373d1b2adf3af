/**
 * `npm run installations`: packs the service, installs it as an operator does, checks the size of the install, starts
 * it in many ways, and ingests and finds a document in each. Prints a table in Markdown; ends with exit code 1 if a way
 * failed. Ways that this machine does not permit are listed as skipped. Options: `--only TEXT,TEXT` for the ways whose
 * name has one of them; `--keep FOLDER` (the install stays there and is used again).
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, chmodSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installPacked, MAX_INSTALL_MB, measure } from './install.ts';
import { POSTGRES_VERSIONS, startPostgres } from './postgres.ts';
import { tryWay, type Seen, type Way } from './try-service.ts';

const NODE_VERSIONS = ['20.20.2', '22.23.3', '24.21.0'];
const ORDINARY = 54_321;

const { values } = parseArgs({ options: { only: { type: 'string', default: '' }, keep: { type: 'string' } } });
const wanted = values.only.split(',');
const isWanted = (name: string): boolean => wanted.some((text) => name.includes(text));
const checkout = fileURLToPath(new URL('../..', import.meta.url));
const folder = values.keep ?? mkdtempSync(path.join(tmpdir(), 'quire-installations-'));
mkdirSync(folder, { recursive: true });
// Other accounts start the service from here.
chmodSync(folder, 0o755);
const isRoot = process.getuid?.() === 0;
const lanAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

/** Debian's ordinary accounts have such a PATH. */
const withoutSystemPrograms = (process.env['PATH'] ?? '')
  .split(':')
  .filter((each) => !each.endsWith('sbin'))
  .join(':');

/** The API reference must work over plain HTTP on any host name. */
async function checkReference(address: string): Promise<void> {
  const { status, headers } = await fetch(`${address}/docs/`);
  const policy = headers.get('content-security-policy') ?? '';
  if (status !== 200 || policy === '' || policy.includes('upgrade-insecure-requests'))
    throw new Error(`/docs answers ${status} with the policy '${policy}'`);
}

function ways(): (Way | { name: string; skipped: string })[] {
  const ordinary = isRoot ? { uid: ORDINARY } : {};
  const nice = { name: 'ordinary user under `nice -n 10`', prefix: ['nice', '-n', '10'], ...ordinary };
  const base = { basePath: '/quire', env: { QUIRE_BASE_PATH: '/quire' } };
  return [
    isRoot ? { name: 'root' } : { name: 'root', skipped: 'this account is not root' },
    // Before those of other accounts, because the first start by the owner of the install links PostgreSQL's libraries.
    { name: 'base path `/quire`', ...base, check: checkReference },
    { name: 'ordinary user (an id without a name)', ...ordinary },
    nice,
    { name: 'ordinary user, TMPDIR of another account', ...ordinary, hasSharedTemporary: true },
    { name: 'ordinary user, without `sbin` on PATH', ...ordinary, env: { PATH: withoutSystemPrograms } },
    lanAddress === undefined
      ? { name: 'LAN address', skipped: 'this machine has only loopback addresses' }
      : { name: 'LAN address', env: { QUIRE_HOST: '0.0.0.0' }, host: lanAddress, check: checkReference },
    ...NODE_VERSIONS.map((version) => ({ name: `Node ${version}`, node: nodeProgram(version) })),
  ];
}

/** Returns the path of another version of Node, which is installed on first use. */
function nodeProgram(version: string): string {
  const place = path.join(folder, `node-${version}`);
  const program = path.join(place, 'node_modules/node/bin/node');
  if (!existsSync(program) && isWanted(`Node ${version}`)) {
    mkdirSync(place, { recursive: true });
    const options = ['--ignore-scripts=false', '--no-audit', '--no-fund', '--no-save', '--loglevel=error'];
    execFileSync('npm', ['install', ...options, `node@${version}`], {
      cwd: place,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  return program;
}

async function tryPostgres(version: string, install: string): Promise<Seen> {
  const name = `outside PostgreSQL ${version.split('.').slice(0, 2).join('.')}`;
  const server = await startPostgres(version, folder);
  try {
    const env = { QUIRE_DATABASE_URL: server.url, QUIRE_SECRET_KEY: 'the-secret-key-of-the-installations' };
    return await tryWay({ name, env }, install, folder);
  } finally {
    await server.stop();
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

function print(seen: Seen): void {
  if (seen.failure !== undefined) process.exitCode = 1;
  const result = seen.failure === undefined ? 'yes' : `**no**: ${seen.failure.replaceAll(/\s+/g, ' ').slice(0, 500)}`;
  console.log(`| ${seen.name} | ${seconds(seen.readyMs)} | ${result} | ${seen.isolation} | ${seconds(seen.stopMs)} |`);
}

async function main(): Promise<void> {
  const install = path.join(folder, 'install');
  if (!existsSync(install)) installPacked(checkout, install);
  const { totalMb, largest } = measure(path.join(install, 'node_modules'));
  console.log(`Production install: ${Math.round(totalMb)} MB of ${MAX_INSTALL_MB} at most`);
  for (const [name, megabytes] of largest) console.log(`- ${name}: ${Math.round(megabytes)} MB`);
  if (totalMb > MAX_INSTALL_MB) process.exitCode = 1;
  console.log('\n| Installation | Ready after | Document ingested and found | Isolation | Stopped after |');
  console.log('|---|---|---|---|---|');
  for (const way of ways().filter(({ name }) => isWanted(name))) {
    if ('skipped' in way) console.log(`| ${way.name} | | skipped: ${way.skipped} | | |`);
    else print(await tryWay(way, install, folder));
  }
  for (const version of POSTGRES_VERSIONS) {
    if (isWanted(`outside PostgreSQL ${version}`)) print(await tryPostgres(version, install));
  }
}

try {
  await main();
} finally {
  if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
}
