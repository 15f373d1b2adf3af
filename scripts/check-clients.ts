/**
 * `npm run check-clients`: generates a TypeScript and a Python client from `docs/openapi.json` and compiles both. The
 * generators are fetched into a temporary folder, because the TypeScript one needs an older compiler than this
 * repository. A generator that cannot be fetched is skipped with a message; `--require` makes that a failure.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const document = path.join(root, 'docs/openapi.json');
const folder = mkdtempSync(path.join(tmpdir(), 'quire-clients-'));
/** Contents that the Python generator leaves out: it reads bytes of `application/octet-stream` only. */
const UNSUPPORTED_BY_PYTHON = /image\/webp|application\/x-ndjson/;

const USE = `import type { components, paths } from './api.d.ts';
type Schemas = components['schemas'];
const filter: Schemas['DocumentFilter'] = {
  and: [{ status: 'ready' }, { 'metadata.year': { gte: 2025, in: [2025, 'a', null] } }],
  not: { name: { exists: true } },
};
export const search: Schemas['SearchCollectionRequest'] = { query: 'lease', filter, limit: 5 };
export const line: Schemas['DiffcpLine'] = { seq: 0, ops: [{ op: 'append', path: '/messages/1/parts/0/text', value: 'x' }] };
export const chat: Schemas['CreateChatRequest'] = { collection_id: '0192f0c4-5b1e-7c3a-9d42-6f0a1b2c3d4e', title: 'Leases' };
type Answer = paths['/v1/w/{ws}/col/{col}/search']['post']['responses'][200]['content']['application/json'];
export const first = (answer: Answer): string | undefined => answer.data.hits[0]?.snippet;
`;

const run = (command: string, args: readonly string[]): string =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Returns false, with a message, if the generator cannot be fetched. */
function fetched(name: string, fetch: () => void): boolean {
  try {
    fetch();
    return true;
  } catch (error) {
    console.log(`${name}: skipped, its generator cannot be fetched: ${String(error).split('\n', 1)[0]}`);
    if (process.argv.includes('--require')) process.exitCode = 1;
    return false;
  }
}

function checkTypeScript(): void {
  writeFileSync(path.join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const packages = ['openapi-typescript@7.13.0', 'typescript@5.9.3'];
  const isFetched = fetched('TypeScript', () =>
    run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages]),
  );
  if (!isFetched) return;
  run('node', ['node_modules/openapi-typescript/bin/cli.js', document, '--output', 'api.d.ts']);
  writeFileSync(path.join(folder, 'use.ts'), USE);
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--allowImportingTsExtensions',
  ];
  run('node', [path.join(root, 'node_modules/typescript/bin/tsc'), ...options, 'use.ts', 'api.d.ts']);
  console.log(`TypeScript: ${readFileSync(path.join(folder, 'api.d.ts'), 'utf8').split('\n').length} lines compile`);
}

function checkPython(): void {
  const isFetched = fetched('Python', () => {
    run('python3', ['-m', 'venv', 'venv']);
    run('venv/bin/pip', ['install', '--quiet', '--disable-pip-version-check', 'openapi-python-client==0.26.1']);
  });
  if (!isFetched) return;
  const args = ['generate', '--path', document, '--output-path', 'client', '--meta', 'none'];
  const output = execFileSync(
    'sh',
    ['-c', `venv/bin/openapi-python-client ${args.map((each) => `'${each}'`).join(' ')} 2>&1`],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  );
  const refused = output
    .split('\n')
    .filter((line) => /^(?:Unable to|Cannot parse|ERROR)/.test(line) && !UNSUPPORTED_BY_PYTHON.test(line));
  if (refused.length > 0) throw new Error(`the Python generator leaves out:\n${refused.join('\n').slice(0, 4_000)}`);
  run('python3', ['-m', 'compileall', '-q', 'client']);
  run('venv/bin/python', [
    '-c',
    'from client.models import SearchCollectionRequest as S; assert S(query="lease", limit=5).to_dict() == {"query": "lease", "limit": 5}',
  ]);
  console.log('Python: the client compiles and builds a request');
}

try {
  checkTypeScript();
  checkPython();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
