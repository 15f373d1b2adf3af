/** The text that a person reads when a command fails: what, why, the next step, and the request if there was one. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Quire } from '@quire/client';
import { createWorkspace } from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';
import { runCommand, type Ran, type RunOptions } from './run-command.ts';

const UNKNOWN = '0192f0c4-5b1e-7c3a-9d42-6f0a1b2c3d4e';

let service: TestService;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  service = await startTestService();
  const { admin } = await createWorkspace(service);
  folder = await mkdtemp(path.join(tmpdir(), 'quire-failures-'));
  env = { QUIRE_CONFIG: path.join(folder, 'profiles.json'), QUIRE_URL: service.address, QUIRE_KEY: admin };
  await mkdir(path.join(folder, 'papers'));
  await writeFile(path.join(folder, 'papers/lease.md'), '# Lease\n\nYear: 2024\n');
  await writeFile(path.join(folder, 'papers/broken.pdf'), '%PDF-1.7 nothing');
  await writeFile(path.join(folder, 'schema.json'), '{"type":"object","properties":{"year":{"type":"integer"}}}');
  await quire(['add', path.join(folder, 'papers/lease.md'), '-c', 'Papers']);
});

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const quire = (args: readonly string[], options: RunOptions = {}): Promise<Ran> =>
  runCommand(args, { ...options, env: { ...env, ...options.env } });

/** Runs a command that fails, and returns stderr with the values that differ between runs replaced. */
async function failure(args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { code, err } = await quire(args, options);
  const text = err.replaceAll(folder, 'FOLDER').replaceAll(/Request [0-9a-f-]{36}/g, 'Request ID');
  return `${text.replaceAll(/(?!0192f0c4)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, 'ID')}exit ${code}`;
}

test('a service that does not answer is named with its address, and the checks end there', async () => {
  const down = { env: { QUIRE_URL: 'http://127.0.0.1:9', QUIRE_KEY: 'key', QUIRE_WORKSPACE: UNKNOWN } };
  expect(await failure(['search', 'x'], down)).toMatch(
    /^quire: cannot reach http:\/\/127\.0\.0\.1:9: .+\n {2}Check the address .+`quire doctor`\.\nexit 1$/,
  );
  const { out, code } = await quire(['doctor'], down);
  expect(out).toMatch(
    /^ok {6}node: v\S+\nfailed service: cannot reach http:\/\/127\.0\.0\.1:9: .+\n {6}Start it with `npm start`.+\n$/,
  );
  expect(code).toBe(1);
});

test('doctor names what is not ready, with the reason', async () => {
  const storage = { ok: false, detail: '3 MB free, at least 134 MB needed', latencyMs: 1 };
  const ctx = { dependencies: { database: { ok: true, latencyMs: 1 }, storage } };
  const detail = [{ loc: [], msg: 'Not ready: storage', type: 'unavailable', ctx }];
  const stub = createServer(({ url }, response) => {
    if (url === '/healthz') response.end(JSON.stringify({ data: { version: '1.0.0' }, status: 'ok' }));
    else
      response
        .writeHead(url === '/readyz' ? 503 : 404)
        .end(JSON.stringify({ detail: url === '/readyz' ? detail : [] }));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void stub.close());
  await once(stub, 'listening');
  const { port } = stub.address() as AddressInfo;
  const { out } = await quire(['doctor'], { env: { QUIRE_URL: `http://127.0.0.1:${port}`, QUIRE_WORKSPACE: UNKNOWN } });
  expect(out).toContain(
    'failed readiness: storage is not ready: 3 MB free, at least 134 MB needed\n      The log of the service says why;',
  );
});

test.each(['localhost:8080', 'nonsense', 'ftp://127.0.0.1'])('%s is no address to sign in to', async (url) => {
  expect(await failure(['login', url, '--key', 'x'])).toBe(
    `quire: ${url} is not the address of a service\n  Write it as http://127.0.0.1:8080 or https://quire.example.com.\nexit 2`,
  );
});

test('an id that names nothing refers to the list of this kind', async () => {
  const nothing = 'quire: there is nothing with this id, or the key may not see it\n  List what there is with';
  for (const [args, list] of [
    [['keys', 'revoke', UNKNOWN], 'quire keys'],
    [['deliveries', 'redeliver', UNKNOWN], 'quire deliveries'],
    [['webhooks', 'test', UNKNOWN], 'quire webhooks'],
    [['connectors', 'test', UNKNOWN], 'quire connectors'],
    [['config', 'test', 'models', UNKNOWN], 'quire config ls KIND'],
  ] as const)
    expect(await failure(args)).toBe(`${nothing} \`${list}\`.\n  Request ID\nexit 5`);
  // Other answers of status 404 say what is missing.
  expect(await failure(['show', 'lease.md', '-c', 'Papers', '--page', '1', '-o', '-'])).toBe(
    'quire: Files of this format have no pages to draw\n  Request ID\nexit 5',
  );
});

test('an unknown subcommand, other than list for ls, too many arguments and options that exclude each other are usage errors', async () => {
  const usage = '\n  Add --help for the usage.\nexit 2';
  expect(await failure(['keys', 'foo'])).toBe(`error: unknown command 'keys foo'${usage}`);
  expect((await quire(['keys', 'list'])).out).toBe((await quire(['keys', 'ls'])).out);
  expect(await failure(['whoami', 'foo'])).toContain(usage);
  expect(await failure(['show', 'x', '--markdown', '--blocks'])).toBe(
    `error: option '--markdown' cannot be used with option '--blocks'${usage}`,
  );
  expect(await failure(['help', 'nonsense'])).toBe(`error: unknown command 'nonsense'${usage}`);
  expect((await quire(['help', 'webhooks', 'listen'])).out).toContain('--tls-cert <file>');
});

test('an export to a place that cannot be written ends with the reason', async () => {
  const file = path.join(folder, 'no-such-folder/papers.tar');
  expect(await failure(['export', '-c', 'Papers', '-o', file])).toBe(
    'quire: cannot open FOLDER/no-such-folder/papers.tar: no such file or folder\nexit 2',
  );
  expect(await failure(['export', '-c', 'Papers', '-o', path.join(folder, 'papers')])).toMatch(
    /cannot open FOLDER\/papers: it is a folder\nexit 2$/,
  );
});

test('an export that was cut is refused, and what it left is named', async () => {
  const file = path.join(folder, 'papers.tar');
  expect(await quire(['export', '-c', 'Papers', '-o', file])).toMatchObject({ code: 0 });
  const archive = await readFile(file);
  const record = archive.indexOf('documents/0.json');
  const original = archive.indexOf('documents/0.original');
  // Within the record of a document, within its content, and within the settings.
  for (const [length, isCreated] of [
    [record + 520, true],
    [original + 520, true],
    [100, false],
  ] as const) {
    await writeFile(file, archive.subarray(0, length));
    const text = await failure(['import', file, '--name', 'Cut']);
    if (isCreated)
      expect(text).toBe(
        'Cut is incomplete. Delete it with `quire collections rm ID`, then import again.\n' +
          'quire: FOLDER/papers.tar is cut or damaged: Unexpected end of data\n  Export the collection again.\nexit 2',
      );
    else expect(text).toMatch(/^quire: FOLDER\/papers\.tar is not an export of a collection\n {2}Write one with/);
  }
});

test('an imported document that fails is named once, with the type of its failure', async () => {
  await writeFile(path.join(folder, 'blank.txt'), ' \n');
  const file = path.join(folder, 'blank.tar');
  expect(await quire(['add', path.join(folder, 'blank.txt'), '-c', 'Blank'])).toMatchObject({ code: 3 });
  expect(await quire(['export', '-c', 'Blank', '-o', file])).toMatchObject({ code: 0 });
  expect(await failure(['import', file])).toBe('blank.txt: no_text: The document holds no readable text\nexit 3');
});

test('an import without permission says so', async () => {
  const file = path.join(folder, 'whole.tar');
  await quire(['export', '-c', 'Papers', '-o', file]);
  const { out: key } = await quire(['keys', 'create', 'reader', '--text']);
  expect(await failure(['import', file], { env: { QUIRE_KEY: key.trim() } })).toBe(
    'quire: This key lacks the permission for this call\n' +
      '  Use a key with this permission: `quire keys create`.\n  Request ID\nexit 4',
  );
});

test('a file that the service refuses is named, and the others are processed', async () => {
  const schema = ['--schema', path.join(folder, 'schema.json')];
  const files = ['broken.pdf', 'lease.md'].map((name) => path.join(folder, 'papers', name));
  const ran = await quire(['extract', ...files, ...schema], { piped: true });
  expect([ran.code, ran.err, ran.json()]).toEqual([
    3,
    'broken.pdf: The PDF file is damaged: it holds no objects\n',
    [{ file: 'lease.md', data: { year: 2024 } }],
  ]);
  expect(await failure(['process', files[0] ?? ''])).toBe(
    'broken.pdf: The PDF file is damaged: it holds no objects\nquire: no file is left to process\nexit 2',
  );
  // The run that was staged for them is deleted.
  const { runs } = new Quire({ url: service.address, key: env['QUIRE_KEY'] ?? '' });
  expect((await runs.list().all()).map(({ files: names }) => names)).toEqual([['lease.md']]);
  expect(await failure(['process', path.join(folder, 'papers')])).toBe('quire: FOLDER/papers is not a file\nexit 2');
  expect(await failure(['extract', files[1] ?? '', '--schema', path.join(folder, 'none.json')])).toBe(
    'quire: cannot open FOLDER/none.json: no such file or folder\nexit 2',
  );
  expect(await failure(['add', ...files, '-c', 'Papers'])).toBe(
    'broken.pdf: corrupt: The PDF file is damaged: it holds no objects\n' +
      '0 added, 1 unchanged, 1 failed in Papers.\nexit 3',
  );
});

test('a file or an option that holds no JSON, or not the right kind of it, is named with the reason', async () => {
  const lease = path.join(folder, 'papers/lease.md');
  const file = path.join(folder, 'input.json');
  for (const [text, option, reason] of [
    ['{"type":', '--schema', 'is not valid JSON\n  Check quotes, commas and braces.'],
    ['', '--schema', 'is not valid JSON\n  It is empty.'],
    ['[]', '--schema', 'must be a JSON object'],
    ['"lease"', '--taxonomy', 'must be a JSON list'],
  ] as const) {
    await writeFile(file, text);
    expect(await failure(['process', lease, option, file])).toBe(`quire: FOLDER/input.json ${reason}\nexit 2`);
  }
});

test('the files of a run are saved in a folder, below their paths in the run', async () => {
  const operations = path.join(folder, 'operations.json');
  await writeFile(operations, '[{ "type": "replaceText", "find": "2024", "replace": "2025" }]');
  const out = path.join(folder, 'out');
  const args = ['process', path.join(folder, 'papers/lease.md'), '--edit', operations, '-o', out];
  expect(await quire(args)).toMatchObject({ code: 0, err: `Wrote ${path.join(out, '1/lease-edited.md')}.\n` });
  expect(await readFile(path.join(out, '1/lease-edited.md'), 'utf8')).toBe('# Lease\n\nYear: 2025\n');
  expect(await failure([...args.slice(0, -1), operations])).toMatch(/^quire: cannot open FOLDER\/operations\.json/);
});

test('labels and operations may be given as a list, or with the other fields of their block', async () => {
  const labels = [
    { id: 'lease', label: 'Lease' },
    { id: 'letter', label: 'Letter' },
  ];
  for (const taxonomy of [labels, { taxonomy: labels, multiLabel: false }]) {
    const file = path.join(folder, 'taxonomy.json');
    await writeFile(file, JSON.stringify(taxonomy));
    const lease = path.join(folder, 'papers/lease.md');
    const [outcome] = (await quire(['process', lease, '--taxonomy', file], { piped: true })).json();
    expect(outcome).toMatchObject({ classification: { labels: [{ path: ['lease'] }, { path: ['letter'] }] } });
  }
});

test('wrong questions and an empty one are refused before any request', async () => {
  const file = path.join(folder, 'questions.jsonl');
  await writeFile(file, '{"query":"x","documents":[{"document":"lease.md","grade":"much"}]}\n');
  expect(await failure(['eval', file, '-c', 'Papers'])).toBe(
    'quire: FOLDER/questions.jsonl, line 1: a document is a name, an id or { document, grade }, with a grade from 0 on\nexit 2',
  );
  expect(await failure(['ask', ' ', '-c', 'Papers'])).toMatch(/^quire: the question is empty\n/);
  expect(await failure(['deliveries', 'redeliver'])).toMatch(/^quire: name a delivery, or pass --failed/);
});
