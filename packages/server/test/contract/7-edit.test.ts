/** CONTRACT section 7: `editConfig`. The operations have tests of their own. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { everything, pageTexts } from '@quire/process/edit/testing/pdf-text';
import { makePdf, TestPage } from '@quire/parse/formats/pdf/testing/make-pdf';
import { createRun, createWorkspace, runForm, type AnyRecord, type TestWorkspace } from '../factories.ts';
import { ROOT_KEY, startTestService, type TestService } from '../server.ts';

interface Output {
  path: string;
  contentType: string;
  content?: unknown;
}
interface Outcome {
  files: {
    edit?: { operations: AnyRecord[]; fileCount: number; output: Output };
    errors: { module: string; type: string; message: string }[];
    outputs: Output[];
  }[];
}

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startTestService();
  workspace = await createWorkspace(service);
});
afterAll(() => service.stop());

async function edit(files: Record<string, string | Buffer>, editConfig: object) {
  const run = await createRun(service, workspace, { files, blocks: { editConfig } });
  const [file] = (run['outcome'] as Outcome).files;
  return { run, file: file!, bytesOf: (output: Output) => download(`${run.url}/outputs/${output.path}`) };
}

async function download(url: string): Promise<Buffer> {
  const answer = await fetch(`${service.address}${url}`, { headers: { authorization: `Bearer ${ROOT_KEY}` } });
  return Buffer.from(await answer.arrayBuffer());
}

test('a PDF is redacted, stamped and split; every file is among the outputs', async () => {
  const page = (text: string): TestPage => new TestPage().text(60, 100, text);
  const bytes = makePdf([page('Paid to Ada Lovelace'), page('second')], { title: 'Ada Lovelace' });
  const operations = [
    { type: 'redact', texts: ['ada lovelace'] },
    { type: 'stampText', text: 'Copy {page}' },
    { type: 'splitPages', every: 1 },
  ];
  const { run, file, bytesOf } = await edit({ 'a.pdf': bytes }, { operations });
  expect([run['status'], file.errors]).toEqual(['done', []]);
  expect(file.edit?.operations.map(({ type, changes }) => [type, changes])).toEqual([
    ['redact', 2],
    ['stampText', 2],
    ['splitPages', 2],
  ]);
  expect(file.edit?.output).toMatchObject({ path: '1/a-edited-1.pdf', contentType: 'application/pdf' });
  expect(file.outputs.map(({ path }) => path)).toEqual(['1/a-edited-1.pdf', '1/a-edited-2.pdf']);
  const parts = await Promise.all(file.outputs.map(bytesOf));
  expect(await Promise.all(parts.map(pageTexts))).toEqual([['Paid to Copy 1'], ['second Copy 2']]);
  for (const part of parts) expect(await everything(part)).not.toMatch(/lovelace/i);
});

test('PDFs of a run are put together', async () => {
  const pdf = (text: string): Buffer => makePdf([new TestPage().text(60, 100, text)]);
  const operations = [{ type: 'appendFiles', files: ['c.pdf', 'b.pdf'] }];
  const files = { 'a.pdf': pdf('first'), 'b.pdf': pdf('second'), 'c.pdf': pdf('third') };
  const { file, bytesOf } = await edit(files, { operations });
  expect(file.edit?.operations).toEqual([{ ...operations[0], changes: 2 }]);
  expect(await pageTexts(await bytesOf(file.outputs[0]!))).toEqual(['first', 'third', 'second']);
});

test('an edited text is inline in the outcome', async () => {
  const operations = [{ type: 'replaceText', find: 'May', replace: 'June' }];
  const { file } = await edit({ 'lease.md': 'It ends in May.\n' }, { operations });
  expect(file.edit?.output.content).toBe('It ends in June.\n');
  expect(file.edit?.operations).toEqual([{ ...operations[0], ignoreCase: false, wholeWord: false, changes: 1 }]);
});

test('operations are checked with the request, and every fault names its place', async () => {
  const operations = [
    { type: 'replacePattern', pattern: '(a)(?=b)', replace: '' },
    { type: 'keepPages', pages: 'first' },
    { type: 'paint' },
    { type: 'setCell', cell: 'B2' },
  ];
  const body = runForm({ 'a.txt': 'a' }, { editConfig: { operations } });
  const { status, detail } = await service.call('POST', `${workspace.url}/process`, { body });
  expect(status).toBe(422);
  expect(detail.map(({ loc }) => loc.slice(2).join('.'))).toEqual([
    'operations.0.pattern',
    'operations.1.pages',
    'operations.2.type',
    'operations.3',
  ]);
});

test('what does not fit the file, or needs a model that is not there, is an error of the file', async () => {
  const wrong = await edit({ 'a.txt': 'text' }, { operations: [{ type: 'keepPages', pages: '1' }] });
  expect([wrong.run['status'], wrong.file.errors]).toEqual([
    'failed',
    [{ module: 'edit', type: 'unsupported', message: 'Operation 1 (keepPages) applies to pdf; this file is txt' }],
  ]);
  const instructed = await edit({ 'a.txt': 'text' }, { instructions: 'Make it shorter' });
  expect(instructed.file.errors).toMatchObject([{ module: 'edit', type: 'unsupported' }]);
});
