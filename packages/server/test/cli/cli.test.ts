/** The command line against a running service. */
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspace } from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';
import { runCommand, type Ran, type RunOptions } from './run-command.ts';

let service: TestService;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  service = await startTestService();
  const { admin } = await createWorkspace(service);
  folder = await mkdtemp(path.join(tmpdir(), 'quire-cli-'));
  env = { QUIRE_CONFIG: path.join(folder, 'profiles.json'), QUIRE_URL: service.address, QUIRE_KEY: admin };
});

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const quire = (args: readonly string[], options: RunOptions = {}): Promise<Ran> =>
  runCommand(args, { ...options, env: { ...env, ...options.env } });

async function writeFiles(name: string, files: Record<string, string>): Promise<string> {
  const directory = path.join(folder, name);
  for (const [file, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(directory, file)), { recursive: true });
    await writeFile(path.join(directory, file), content);
  }
  return directory;
}

test('a key is stored in a file of mode 600 and used afterwards', async () => {
  const signedOut = { QUIRE_URL: '', QUIRE_KEY: '' };
  expect(await quire(['whoami'], { env: signedOut })).toMatchObject({
    code: 4,
    err: expect.stringContaining('quire login'),
  });
  const input = `${env['QUIRE_KEY']}\n`;
  expect(await quire(['login', service.address], { env: signedOut, input })).toMatchObject({ code: 0 });
  expect((await stat(env['QUIRE_CONFIG'] ?? '')).mode & 0o777).toBe(0o600);
  const { code, out } = await quire(['whoami', '--json'], { env: signedOut });
  expect({ code, permission: JSON.parse(out).permission }).toEqual({ code: 0, permission: 'admin' });
});

test('a stored key is never sent to another address', async () => {
  const elsewhere = { QUIRE_URL: 'http://127.0.0.1:9', QUIRE_KEY: '' };
  const { code, err } = await quire(['whoami'], { env: elsewhere });
  expect({ code, isRefused: err.includes('quire doctor') }).toEqual({ code: 1, isRefused: true });
});

test('a folder is added, changed and mirrored by running the same command again', async () => {
  const directory = await writeFiles('library', {
    'hours.md': '# Hours\n\nThe library closes at eight on Thursdays.',
    'fees/late.txt': 'The fee for late books is ten cents a day.',
    'broken.pdf': '%PDF-1.7 nothing',
  });
  const first = await quire(['add', directory, '-c', 'Library', '--meta', 'year=2026']);
  expect(first).toMatchObject({ code: 3, out: '' });
  expect(first.err).toContain('Created the collection Library.\nbroken.pdf: corrupt: The PDF');
  expect(first.err).toContain('2 added, 0 unchanged, 1 failed in Library.\n');

  await writeFile(path.join(directory, 'fees/late.txt'), 'The fee for late books is twenty cents a day.');
  await rm(path.join(directory, 'broken.pdf'));
  expect((await quire(['add', directory, '-c', 'Library'])).err).toBe('1 added, 1 unchanged, 0 failed in Library.\n');
  await rm(path.join(directory, 'hours.md'));
  const mirrored = await quire(['add', directory, '-c', 'Library', '--delete'], { piped: true });
  expect(mirrored.json()).toMatchObject([{ path: 'fees/late.txt', status: 'unchanged' }]);
  expect(mirrored.err).toBe('0 added, 1 unchanged, 0 failed, 1 deleted in Library.\n');

  const listed = (await quire(['ls', '-c', 'Library'], { piped: true })).json();
  expect(listed).toMatchObject([{ name: 'late.txt', revision: 2, metadata: { path: 'fees/late.txt' } }]);
  expect((await quire(['show', 'late.txt', '-c', 'Library', '--markdown'])).out).toContain('twenty cents');
});

test('a list that is cut says that there are more', async () => {
  const directory = await writeFiles('trees', { 'a.txt': 'Oak.', 'b.txt': 'Elm.', 'c.txt': 'Ash.' });
  await quire(['add', directory, '-c', 'Trees']);
  const note = 'The list ends after 2 documents: pass a larger number with -n.\n';
  const [cut, cutPiped, whole] = [
    await quire(['ls', '-c', 'Trees', '-n', '2']),
    await quire(['ls', '-c', 'Trees', '-n', '2'], { piped: true }),
    await quire(['ls', '-c', 'Trees', '-n', '3']),
  ];
  expect([cut, cutPiped, whole].map(({ err }) => err)).toEqual([note, note, '']);
  // With the head of the table.
  expect([cut, cutPiped, whole].map(({ out }) => out.trim().split('\n').length)).toEqual([3, 2, 4]);
});

test('search and answers write hits and sources for people, and JSON lines for programs', async () => {
  const directory = await writeFiles('birds', { 'owls.md': '# Owls\n\nThe owl hunts mice at night.' });
  await quire(['add', directory, '-c', 'Birds']);
  const { out } = await quire(['search', 'What does the owl hunt?', '-c', 'Birds']);
  expect(out).toMatch(/^1\. owls\.md › Owls {2}\d\.\d{3}\n {3}The owl hunts mice at night\.\n\n$/);
  const table = await quire(['search', 'owl', '-c', 'Birds', '--explain']);
  expect(table.out).toMatch(
    /^# {2}SCORE {2}DENSE {5,}SPARSE {4,}DOCUMENT\n1 {2}1\.000 {2}#1 \d\.\d{3} {2}#1 \d\.\d{3} {2}owls\.md\n$/,
  );

  const rules = await writeFiles('rules', {
    'garten.md': 'Man darf den Garten des Vereins im Sommer an jedem Wochenende für Feste mieten.',
    'verbot.md': 'Alkoholische Getränke sind in den Räumen des Vereins untersagt, und man darf sie nicht mitbringen.',
  });
  await quire(['add', rules, '-c', 'Rules']);
  const german = await quire(['search', 'Darf man Bier trinken?', '-c', 'Rules', '--explain']);
  expect(german.out).toMatch(/^# .* LIKENESS {2}DOCUMENT\n1 .* 0\.\d{3} +verbot\.md\n/);

  const answer = await quire(['ask', 'What does the owl hunt?', '-c', 'Birds']);
  expect(answer.out).toMatch(
    /^Owls: The owl hunts mice at night\. \[1\]\n\n\[1\] owls\.md › Owls\n {4}http:\S+\/collections\/\S+\/documents\/\S+\?chunk=[0-9a-f-]{36}\n$/,
  );
  const events = (await quire(['ask', 'What does the owl hunt?', '-c', 'Birds'], { piped: true })).json();
  expect(events.at(-1)).toMatchObject({ type: 'end', message: { status: 'done' } });
  const talk = await quire(['ask', '-c', 'Birds'], { input: 'What does the owl hunt?\nWhen does the owl hunt?\n' });
  expect(talk.out.match(/hunts mice at night/g)).toHaveLength(2);
});

test('an export is imported as the same collection', async () => {
  const directory = await writeFiles('archive', { 'a.md': 'Herons wait in the reeds.', 'b.txt': 'Kiwis do not fly.' });
  await quire(['add', directory, '-c', 'Archive', '--meta', 'source=test']);
  const file = path.join(folder, 'archive.tar');
  expect(await quire(['export', '-c', 'Archive', '-o', file])).toMatchObject({ code: 0 });
  expect(await quire(['import', file, '--name', 'Imported'])).toMatchObject({ code: 0 });
  const names = async (collection: string) =>
    (await quire(['ls', '-c', collection], { piped: true })).json().map(({ name, metadata }) => ({ name, metadata }));
  expect(new Set(await names('Imported'))).toEqual(new Set(await names('Archive')));
  const hits = async (collection: string) =>
    (await quire(['search', 'Which bird waits?', '-c', collection], { piped: true }))
      .json()
      .map(({ text, score }) => [text, score]);
  expect(await hits('Imported')).toEqual(await hits('Archive'));
  await writeFile(file, 'no tar');
  expect(await quire(['import', file])).toMatchObject({
    code: 2,
    err: `quire: ${file} is not an export of a collection\n  Write one with \`quire export -c COLLECTION -o FILE\`.\n`,
  });
});

test('a connector is created, listed, tested and deleted', async () => {
  await quire(['collections', 'create', 'Sources']);
  const config = JSON.stringify({
    bucket: 'manuals',
    endpoint: 'http://127.0.0.1:9',
    secretAccessKey: 'a-long-secret',
  });
  const create = ['connectors', 'create', 'Manuals', '-c', 'Sources', '--kind', 'object_storage', '--config'];
  const [made] = (await quire([...create, config], { piped: true })).json();
  expect(made).toMatchObject({ name: 'Manuals', kind: 'object_storage', status: 'idle' });
  const id = String(made?.['id']);
  expect((await quire(['connectors'])).out).toContain(`${id}  idle    0       0       Manuals  object_s…`);
  expect(await quire(['connectors', 'test', id])).toMatchObject({
    code: 1,
    out: expect.stringContaining('failed in '),
  });
  expect(await quire(['connectors', 'rm', id])).toMatchObject({ code: 0, out: 'Deleted Manuals.\n' });
  expect(await quire([...create, '[]'])).toMatchObject({ code: 2 });
});

test('eval exits with 3 below the threshold', async () => {
  const directory = await writeFiles('eval', { 'cats.md': 'Cats purr.', 'dogs.md': 'Dogs bark.' });
  await quire(['add', directory, '-c', 'Eval']);
  const file = path.join(folder, 'questions.jsonl');
  await writeFile(
    file,
    '{"query":"Who purrs?","documents":["cats.md"]}\n{"query":"Who purrs?","documents":["none.md"]}\n',
  );
  const { code, out, err } = await quire(['eval', file, '-c', 'Eval', '--min-ndcg', '0.7']);
  expect(code).toBe(3);
  expect(out).toMatch(/^2 questions: nDCG@10 0\.500, recall@100 0\.500, MRR 0\.500, p50 /);
  expect(err).toBe('nDCG@10 0.500 is below 0.7.\n');
});

test('extract writes data that satisfies the schema, with evidence on request', async () => {
  const directory = await writeFiles('extract', {
    's.json': '{"type":"object","properties":{"year":{"type":"integer"}}}',
    'lease.md': '# Lease\n\nYear: 2024\n',
  });
  const args = ['extract', path.join(directory, 'lease.md'), '--schema', path.join(directory, 's.json')];
  expect(JSON.parse((await quire(args)).out)).toEqual({ year: 2024 });
  expect(JSON.parse((await quire([...args, '--evidence'])).out)).toMatchObject({
    evidence: { '/year': { quote: '2024' } },
  });
});

test.each([
  [['search'], 2, "missing required argument 'query'"],
  [['search', 'x', '--limit', '0'], 2, 'Expected a whole number from 1 to 100.'],
  [['search', 'x', '--filter', '[]'], 2, '--filter must be a JSON object'],
  [['ls', '-c', 'Nowhere'], 5, 'there is no collection Nowhere'],
  [['show', '00000000-0000-7000-8000-000000000000'], 5, 'quire ls'],
  [['add', '/nowhere/at-all'], 2, 'no file is at /nowhere/at-all'],
  [['nonsense'], 2, 'unknown command'],
] as const)('%j exits with %d and says why', async (args, code, message) => {
  expect(await quire([...args])).toMatchObject({ code, err: expect.stringContaining(message) });
});

test('a wrong key exits with 4 and names the request', async () => {
  const { code, err } = await quire(['whoami'], { env: { QUIRE_KEY: 'quire_wrong' } });
  expect(code).toBe(4);
  expect(err).toMatch(/^quire: .+\n {2}Sign in with .+\n {2}Request \S+\n$/);
});

test('an interrupted add says how to continue, and the next run adds the rest once', async () => {
  const files = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`f${at}.txt`, `File number ${at}.`]));
  const directory = await writeFiles('many', files);
  const controller = new AbortController();
  const args = ['add', directory, '-c', 'Many', '--no-wait'];
  const stopping = quire(args, { piped: true, signal: controller.signal });
  setImmediate(function stopAfterFirst() {
    void service
      .call('GET', `/v1/whoami`, { key: env['QUIRE_KEY'] ?? '' })
      .then(() => controller.abort(new Error('interrupted')));
  });
  const stopped = await stopping;
  expect([0, 130]).toContain(stopped.code);
  if (stopped.code === 130) expect(stopped.err).toMatch(/Run the same command again to continue|Interrupted/);
  expect(await quire(['add', directory, '-c', 'Many'])).toMatchObject({ code: 0 });
  const names = (await quire(['ls', '-c', 'Many', '-n', '100'], { piped: true })).json().map(({ name }) => name);
  expect(names.toSorted()).toEqual(Object.keys(files).toSorted());
});
