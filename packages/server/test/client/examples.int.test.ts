// large: compiles and runs every example of the client's pages
/** Compiles and runs the examples of the client's README and of its page in the guide, each page as one program. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspace } from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const TYPESCRIPT = path.join(root, 'node_modules/typescript/bin/tsc');
const OPTIONS = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2023'];

const FILES: Record<string, string> = {
  'lease.md': '# Lease\n\nThe notice period is three months. Either party may end the lease.',
  'copy-of-lease.md': '# Lease\n\nThe notice period is three months. Either party may end the lease.',
  'annex.md': '# Annex\n\nThe flat has two rooms.',
  'hours.md': '# Opening hours\n\nThe library is open from nine to five. On Thursdays it closes at eight.',
  'invoice.md': '# Invoice\n\nInvoice number: INV-17\n\nTotal: 1450.00',
  'letters/one.md': 'Dear reader, the reading room is closed in May.',
  'letters/two.md': 'Dear reader, the reading room is open again.',
};

let service: TestService;
let folder: string;

beforeAll(async () => {
  service = await startTestService();
  folder = await mkdtemp(path.join(tmpdir(), 'quire-examples-'));
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
  await mkdir(path.join(folder, 'letters'));
  for (const [name, content] of Object.entries(FILES)) await writeFile(path.join(folder, name), content);
});

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const run = (args: readonly string[], environment: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, args, { cwd: folder, env: { ...process.env, ...environment } });

/** Returns the `ts` blocks of a page as one program. */
async function program(page: string): Promise<string> {
  const text = await readFile(path.join(root, page), 'utf8');
  const blocks = Array.from(text.matchAll(/^```ts\n(.*?)^```$/gms), ([, block = '']) => block);
  expect(blocks.length).toBeGreaterThan(5);
  return `${blocks.join('\n')}\nexport {};\n`;
}

test.each(['packages/client/README.md', 'docs/guide/typescript.md'])('every example of %s works', async (page) => {
  const { admin } = await createWorkspace(service, page);
  const file = path.join(folder, `${path.basename(page, '.md')}.ts`);
  await writeFile(file, (await program(page)).replaceAll('http://127.0.0.1:8080', service.address));
  await run([TYPESCRIPT, ...OPTIONS, '--types', 'node', file]);
  const { stdout } = await run(['--import', 'tsx', file], { QUIRE_URL: service.address, QUIRE_KEY: admin });
  const expected = page.endsWith('README.md')
    ? ['lease.md The notice period is three months.', 'copy-of-lease.md duplicate', '1450', '404 not_found']
    : ['admin', '0 failed', 'done ', 'INV-17', 'no_text'];
  expect(expected.filter((text) => !stdout.includes(text))).toEqual([]);
});
