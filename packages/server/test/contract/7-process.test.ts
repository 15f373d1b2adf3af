/** CONTRACT section 7: runs. Webhooks and the results of the modules are tested elsewhere. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkspace, runForm, subscribe, type AnyRecord, type TestWorkspace } from '../factories.ts';
import { NOTIFICATION_CHANNEL } from '../../src/database/notifications.ts';
import { runTopic } from '../../src/domain/runs/types.ts';
import { startTestService, type TestAnswer, type TestService } from '../server.ts';

const UUID = /^[0-9a-f-]{36}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const STAGED_UPLOADS = Number(process.env['QUIRE_TEST_STAGED_UPLOADS'] ?? 60);
const LEASE = '# Lease\n\nThe lease ends in May.\n';
const DAY_MS = 24 * 3_600_000;

interface Reference {
  path: string;
  contentType: string;
  sizeBytes: number;
  content?: unknown;
}
interface FileOutcome {
  name: string;
  parse?: { contentType: string; markdown?: Reference; html?: Reference; blocks?: Reference; thumbnail?: Reference };
  errors: { module: string; type: string; message: string }[];
  outputs: Reference[];
}
interface Run extends AnyRecord {
  status: string;
  files: string[];
  error: { type: string; message: string } | null;
  outcome: { files: FileOutcome[]; usage: unknown } | null;
  expiresAt: string;
  finishedAt: string;
}

let service: TestService;
let workspace: TestWorkspace;
/** An API process without a worker, so that its runs stay queued. */
let idle: TestService;
let queueing: TestWorkspace;

beforeAll(async () => {
  service = await startTestService({ QUIRE_MAX_RUN_FILES: '70' });
  workspace = await createWorkspace(service);
  idle = await startTestService({ QUIRE_ROLE: 'api' });
  queueing = await createWorkspace(idle);
});
afterAll(async () => {
  await service.stop();
  await idle.stop();
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const post = (query: string, body?: FormData | string, headers: Record<string, string> = {}) =>
  service.call<Run>('POST', `${workspace.url}/process${query}`, { ...(body === undefined ? {} : { body }), headers });
const urlOf = (run: Run, within = workspace): string => `${within.url}/process/${run.id}`;
const read = (run: Run): Promise<TestAnswer<Run>> => service.call<Run>('GET', `${urlOf(run)}?wait=60`);
const submitted = (run: Run, wait = 60) => service.call<Run>('POST', `${urlOf(run)}/submit?wait=${wait}`);
const stage = async (): Promise<Run> => (await post('?staged=true', '{}')).data;
const places = ({ detail }: TestAnswer<unknown>) => detail.map(({ loc, type }) => [type, ...loc]);

const sendFile = (run: Run, name: string, content: string) =>
  service.call('POST', `${urlOf(run)}/files`, {
    body: content,
    headers: { 'content-disposition': `attachment; filename="${name}"` },
  });

describe('creating', () => {
  test('a text is parsed, and the answer within the wait is the run that has ended', async () => {
    const { status, data } = await post('?wait=60', runForm({ 'lease.md': LEASE }));
    expect(status).toBe(200);
    expect(data).toEqual({
      id: expect.stringMatching(UUID),
      workspaceId: workspace.id,
      status: 'done',
      files: ['lease.md'],
      config: {},
      progress: 1,
      error: null,
      outcome: {
        files: [
          {
            name: 'lease.md',
            parse: {
              contentType: 'text/markdown',
              pageCount: null,
              language: 'en',
              warnings: [],
              markdown: {
                path: '1/document.md',
                contentType: 'text/markdown; charset=utf-8',
                sizeBytes: LEASE.length,
                content: LEASE,
              },
              thumbnail: { path: '1/thumbnail.webp', contentType: 'image/webp' },
            },
            errors: [],
            outputs: [{ path: '1/document.md', contentType: 'text/markdown; charset=utf-8', sizeBytes: LEASE.length }],
          },
        ],
        usage: { inputTokens: 0, outputTokens: 0, pageCount: 0 },
      },
      createdAt: expect.stringMatching(TIMESTAMP),
      startedAt: expect.stringMatching(TIMESTAMP),
      finishedAt: expect.stringMatching(TIMESTAMP),
      expiresAt: expect.stringMatching(TIMESTAMP),
      outputsDeletedAt: null,
    });
    expect(Date.parse(data.expiresAt) - Date.parse(data.finishedAt)).toBe(DAY_MS);
  });

  test('parts come in any order; a file part has any name, a block part may have a file name, parserId may be bare', async () => {
    const parsers = await service.call<{ items: { id: string }[] }>('GET', `${workspace.url}/config/parsers`);
    const parserId = parsers.data.items[0]!.id;
    const form = new FormData();
    form.append('anything', new Blob(['one']), 'one.txt');
    form.append('parserConfig', new Blob(['{"formats": ["html"], "jpegQuality": 80}']), 'parser.json');
    form.append('parserId', parserId);
    form.append('file', new Blob(['two']), 'two.txt');
    const { status, data } = await post('?wait=60', form);
    expect([status, data.status, data.files]).toEqual([200, 'done', ['one.txt', 'two.txt']]);
    expect(data['config']).toEqual({ parserId, parserConfig: { jpegQuality: 80, formats: ['html'] } });
    expect(data.outcome?.files.map(({ outputs }) => outputs.map((output) => output.path))).toEqual([
      ['1/document.html'],
      ['2/document.html'],
    ]);
  });

  test('without a wait the answer is 202, and reading it answers when it has ended', async () => {
    const created = await post('', runForm({ 'a.txt': 'a' }));
    expect([created.status, created.data['outcome']]).toEqual([202, null]);
    const seen = await read(created.data);
    expect([seen.status, seen.data.status]).toEqual([200, 'done']);
  });

  test('a run that does not end within the wait is 202', async () => {
    const url = `${queueing.url}/process`;
    const created = await idle.call<Run>('POST', `${url}?wait=1`, { body: runForm({ 'a.txt': 'a' }) });
    expect([created.status, created.data.status]).toEqual([202, 'queued']);
    const seen = await idle.call<Run>('GET', `${url}/${created.data.id}?wait=1`);
    expect([seen.status, seen.data.status, seen.data.expiresAt]).toEqual([202, 'queued', null]);
  });

  test('files are needed, unless they come later', async () => {
    const without = await post('', runForm({}, { summaryConfig: { length: 'short' } }));
    expect(without.status).toBe(422);
    expect(without.detail).toEqual([{ loc: ['body', 'files'], msg: 'Field required', type: 'missing' }]);
    expect(places(await post('', '{}'))).toEqual([['missing', 'body', 'files']]);
    expect((await post('?staged=true')).status).toBe(202);
  });

  test('all problems of the blocks are reported at once, each with its location', async () => {
    const form = runForm(
      {},
      {
        parserConfig: { provider: 'nope', jpegQuality: 101, colour: 1 },
        extractionConfig: {},
        summaryConfig: { length: 'endless' },
        classificationConfig: { taxonomy: [{ id: 'a', label: 'A', children: [{ id: 'b' }] }] },
        editConfig: {},
      },
    );
    form.append('extra', '1');
    form.append('parserId', 'x');
    const answer = await post('?wait=61', form);
    expect(answer.status).toBe(422);
    expect(places(answer)).toEqual([
      ['less_than_equal', 'query', 'wait'],
      ['missing', 'body', 'files'],
      ['extra_forbidden', 'body', 'extra'],
      ['uuid_parsing', 'body', 'parserId'],
      ['enum', 'body', 'parserConfig', 'provider'],
      ['less_than_equal', 'body', 'parserConfig', 'jpegQuality'],
      ['extra_forbidden', 'body', 'parserConfig', 'colour'],
      ['missing', 'body', 'extractionConfig', 'jsonSchema'],
      ['enum', 'body', 'summaryConfig', 'length'],
      ['missing', 'body', 'classificationConfig', 'taxonomy', 0, 'children', 0, 'label'],
      ['missing', 'body', 'editConfig', 'operations'],
    ]);
  });

  test('a block that is no JSON is 422 at its part', async () => {
    const form = runForm({ 'a.txt': 'a' });
    form.append('summaryConfig', '{"length": }');
    const answer = await post('', form);
    expect([answer.status, places(answer)]).toEqual([422, [['json_invalid', 'body', 'summaryConfig', 11]]]);
  });

  test('a parserId without quotes is not parsed as JSON, and null counts as absent', async () => {
    const sent = (parserId: string) => {
      const form = runForm({ 'a.txt': 'a' });
      form.append('parserId', parserId);
      return post('', form);
    };
    expect(places(await sent('nope'))).toEqual([['uuid_parsing', 'body', 'parserId']]);
    const none = await sent(' null\n');
    expect([none.status, none.data['config']]).toEqual([202, {}]);
  });

  test('a block that is nested too deep is 422 at its part', async () => {
    const form = runForm({ 'a.txt': 'a' });
    form.append('extractionConfig', `{"jsonSchema": ${'{"items":'.repeat(5000)}{}${'}'.repeat(5000)}}`);
    const answer = await post('', form);
    expect([answer.status, places(answer)]).toEqual([422, [['json_invalid', 'body', 'extractionConfig', 1806]]]);
  });

  test('a file that was sent and refused for its name is not missing', async () => {
    const form = new FormData();
    form.append('files', new Blob(['a']), 'a\u202Etxt.md');
    form.append('upload', new Blob(['a']), `${'x'.repeat(255)}.md`);
    expect(places(await post('', form))).toEqual([
      ['value_error', 'body', 'files'],
      ['string_too_long', 'body', 'upload'],
    ]);
  });

  test('a block that is larger than a JSON body may be is 413', async () => {
    const form = runForm({ 'a.txt': 'a' });
    form.append('summaryConfig', new Blob([Buffer.alloc(10 * 1024 ** 2 + 1, ' ')]));
    form.append('files', new Blob(['b']), 'b.txt');
    const answer = await post('', form);
    expect([answer.status, answer.detail[0]?.type, answer.detail[0]?.ctx]).toEqual([
      413,
      'body_too_large',
      { limit: 10 * 1024 ** 2 },
    ]);
  });

  test('siblings of a taxonomy have different ids', async () => {
    const taxonomy = [
      { id: 'a', label: 'A' },
      { id: 'a', label: 'B' },
    ];
    const answer = await post('', runForm({ 'a.txt': 'a' }, { classificationConfig: { taxonomy } }));
    expect(places(answer)).toEqual([['value_error', 'body', 'classificationConfig', 'taxonomy', 1, 'id']]);
  });

  test('parsers and models that the workspace does not have are 422', async () => {
    const nowhere = '0192f0c4-0000-7000-8000-00000000ffff';
    const form = runForm({ 'a.txt': 'a' }, { summaryConfig: { length: 'short', modelId: nowhere } });
    form.append('parserId', nowhere);
    expect(places(await post('', form))).toEqual([
      ['value_error', 'body', 'parserId'],
      ['value_error', 'body', 'summaryConfig', 'modelId'],
    ]);
    const other = runForm({ 'a.txt': 'a' }, { parserConfig: { provider: 'provider_c' } });
    expect(places(await post('', other))).toEqual([['value_error', 'body', 'parserConfig', 'provider']]);
  });

  test('files of no known kind, empty ones and two of one name are refused, each by its number', async () => {
    const form = runForm({ 'a.txt': 'a', 'b.exe': 'b', 'c.txt': '' });
    form.append('files', new Blob(['other']), 'a.txt');
    const answer = await post('', form);
    expect([answer.status, places(answer)]).toEqual([
      415,
      [
        ['unsupported_file_type', 'body', 'files', 1],
        ['file_empty', 'body', 'files', 2],
        ['value_error', 'body', 'files', 3],
      ],
    ]);
  });

  test('a run takes so many files and no more', async () => {
    const files = Object.fromEntries(Array.from({ length: 71 }, (_, index) => [`${index}.txt`, 'x']));
    const answer = await post('', runForm(files));
    expect([answer.status, answer.detail[0]?.type, answer.detail[0]?.ctx]).toEqual([
      413,
      'too_many_files',
      { limit: 70 },
    ]);
  });
});

describe('idempotency', () => {
  test('the same request returns the same run, regardless of the order of its parts and its wait', async () => {
    const blocks = { parserConfig: { formats: ['html'], jpegQuality: 80 } };
    const first = await post('?idempotency_key=same&wait=60', runForm({ 'a.txt': 'a', 'b.txt': 'b' }, blocks));
    const again = runForm({ 'b.txt': 'b', 'a.txt': 'a' });
    again.append('parserConfig', '{"jpegQuality": 80, "formats": ["html"]}');
    const second = await post('', again, { 'idempotency-key': 'same' });
    expect([second.status, second.data]).toEqual([200, first.data]);
  });

  test('another request with the key is 409 and makes nothing', async () => {
    const first = await post('?idempotency_key=other', runForm({ 'a.txt': 'a' }));
    const requests = [
      runForm({ 'a.txt': 'b' }),
      runForm({ 'b.txt': 'a' }),
      runForm({ 'a.txt': 'a' }, { parserConfig: {} }),
    ];
    for (const form of requests) {
      const answer = await post('?idempotency_key=other', form);
      expect([answer.status, answer.detail[0]?.type, answer.detail[0]?.ctx?.['runId']]).toEqual([
        409,
        'conflict',
        first.data.id,
      ]);
    }
  });

  test('keys differ by workspace, and a header that differs from the query is 422', async () => {
    const other = await createWorkspace(service);
    const mine = await post('?idempotency_key=w', runForm({ 'a.txt': 'a' }));
    const body = runForm({ 'a.txt': 'a' });
    const theirs = await service.call<Run>('POST', `${other.url}/process?idempotency_key=w`, { body });
    expect([mine.status, theirs.status, theirs.data.id === mine.data.id]).toEqual([202, 202, false]);
    const answer = await post('?idempotency_key=w', runForm({ 'a.txt': 'a' }), { 'idempotency-key': 'v' });
    expect([answer.status, places(answer)]).toEqual([422, [['value_error', 'header', 'idempotency-key']]]);
    const long = await post('', runForm({ 'a.txt': 'a' }), { 'idempotency-key': 'k'.repeat(256) });
    expect([long.status, places(long)]).toEqual([422, [['string_too_long', 'header', 'idempotency-key']]]);
  });

  test('the same request is that run also when the model it names was deleted since', async () => {
    const config = { provider: 'local', model: 'extractive' };
    const models = `${workspace.url}/config/models`;
    const model = await service.call<AnyRecord>('POST', models, { json: { name: 'm', config } });
    const request = () => runForm({ 'a.txt': 'a' }, { summaryConfig: { length: 'short', modelId: model.data.id } });
    const first = await post('?idempotency_key=model', request());
    await service.call('DELETE', `${models}/${model.data.id}`);
    const again = await post('?idempotency_key=model&wait=60', request());
    expect([first.status, again.status, again.data.id]).toEqual([202, 200, first.data.id]);
    expect(places(await post('?idempotency_key=other', request()))).toEqual([
      ['value_error', 'body', 'summaryConfig', 'modelId'],
    ]);
  });

  test('twelve equal requests at once make one run', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => post('?idempotency_key=race', runForm({ 'a.txt': 'race' }))),
    );
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
    expect(new Set(answers.map(({ status }) => status >= 200 && status <= 202))).toEqual(new Set([true]));
    const kept = readdirSync(path.join(service.dataDir, 'storage/objects/workspaces', workspace.id, 'runs'));
    const list = await service.call<{ total: number }>('GET', `${workspace.url}/process?limit=1`);
    expect(kept.length).toBeLessThanOrEqual(list.data.total);
  });

  test('a request that failed validation is not remembered', async () => {
    const bad = await post('?idempotency_key=later', runForm({ 'a.txt': 'a' }, { summaryConfig: { length: 'x' } }));
    const good = await post('?idempotency_key=later', runForm({ 'a.txt': 'a' }));
    expect([bad.status, good.status]).toEqual([422, 202]);
  });

  test('deleting the run frees its key', async () => {
    const first = await post('?idempotency_key=free', runForm({ 'a.txt': 'a' }));
    await service.call('DELETE', urlOf(first.data));
    const second = await post('?idempotency_key=free', runForm({ 'a.txt': 'b' }));
    expect([second.status, second.data.id === first.data.id]).toEqual([202, false]);
  });
});

describe('staging', () => {
  test('files come as forms and as raw bodies, then the run is submitted', async () => {
    const created = await post('?staged=true', JSON.stringify({ parserConfig: { formats: ['markdown'] } }));
    expect([created.status, created.data.status, created.data.files]).toEqual([202, 'idle', []]);
    const form = new FormData();
    form.append('file', new Blob(['form']), 'form.txt');
    const answers = [
      await service.call('POST', `${urlOf(created.data)}/files`, { body: form }),
      await sendFile(created.data, 'raw.txt', 'raw'),
    ];
    expect(answers.map(({ status, data }) => [status, data])).toEqual([
      [200, { name: 'form.txt', sizeBytes: 4, sha256: sha256('form') }],
      [200, { name: 'raw.txt', sizeBytes: 3, sha256: sha256('raw') }],
    ]);
    expect((await service.call('GET', `${urlOf(created.data)}?wait=60`)).status).toBe(200);
    const ended = await submitted(created.data);
    expect([ended.status, ended.data.status, ended.data.files]).toEqual([200, 'done', ['form.txt', 'raw.txt']]);
  });

  test('the same name with the same content is the same answer, with another content 409', async () => {
    const run = await stage();
    const first = await sendFile(run, 'a.txt', 'a');
    const again = await sendFile(run, 'a.txt', 'a');
    const other = await sendFile(run, 'a.txt', 'b');
    expect([again.status, again.data]).toEqual([200, first.data]);
    expect([other.status, other.detail[0]?.type, other.detail[0]?.ctx]).toEqual([
      409,
      'conflict',
      { name: 'a.txt', sha256: sha256('a'), status: 'idle' },
    ]);
  });

  test(`${STAGED_UPLOADS} files sent at once are all there`, async () => {
    const counts = Array.from({ length: Math.ceil(STAGED_UPLOADS / 60) }, (_, at) =>
      Math.min(60, STAGED_UPLOADS - at * 60),
    );
    await Promise.all(
      counts.map(async (count) => {
        const run = await stage();
        const names = Array.from({ length: count }, (_, index) => `${index}.txt`);
        const answers = await Promise.all(names.map((name) => sendFile(run, name, `content of ${name}`)));
        expect(answers.map(({ status, data }) => [status, data['name']])).toEqual(names.map((name) => [200, name]));
        const ended = await submitted(run);
        expect(ended.data.status).toBe('done');
        expect(ended.data.outcome?.files.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
      }),
    );
  });

  test('two files of one name sent at once: one is kept, and the other content is 409', async () => {
    const run = await stage();
    const answers = await Promise.all(['a', 'a', 'b', 'b'].map((content) => sendFile(run, 'same.txt', content)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409]);
    expect((await service.call<Run>('GET', urlOf(run))).data.files).toEqual(['same.txt']);
  });

  test('what the state forbids is 409 with the state', async () => {
    const run = await stage();
    const without = await submitted(run);
    expect([without.status, places(without)]).toEqual([422, [['missing', 'body', 'files']]]);
    await sendFile(run, 'a.txt', 'a');
    expect((await submitted(run)).status).toBe(200);
    const late = [
      await submitted(run),
      await sendFile(run, 'b.txt', 'b'),
      await service.call('POST', `${urlOf(run)}/cancel`),
    ];
    expect(late.map(({ status, detail }) => [status, detail[0]?.type, detail[0]?.ctx])).toEqual(
      late.map(() => [409, 'conflict', { status: 'done' }]),
    );
  });

  test('other parts than the file are refused', async () => {
    const form = new FormData();
    form.append('file', new Blob(['a']), 'a.txt');
    form.append('metadata', '{}');
    const answer = await service.call('POST', `${urlOf(await stage())}/files`, { body: form });
    expect([answer.status, places(answer)]).toEqual([422, [['extra_forbidden', 'body', 'metadata']]]);
  });
});

describe('ending', () => {
  test('cancelling a run in any state makes it failed', async () => {
    const staged = await stage();
    const cancelled = await service.call<Run>('POST', `${urlOf(staged)}/cancel`);
    const error = { type: 'cancelled', message: 'The run was cancelled' };
    expect([cancelled.status, cancelled.data.status, cancelled.data.error]).toEqual([200, 'failed', error]);
    const queued = await idle.call<Run>('POST', `${queueing.url}/process`, { body: runForm({ 'a.txt': 'a' }) });
    const waiting = idle.call<Run>('GET', `${urlOf(queued.data, queueing)}?wait=60`);
    const ended = await idle.call<Run>('POST', `${urlOf(queued.data, queueing)}/cancel`);
    expect([ended.data.status, ended.data.error]).toEqual(['failed', error]);
    expect((await waiting).data).toEqual(ended.data);
    const again = await idle.call('POST', `${urlOf(queued.data, queueing)}/cancel`);
    expect([again.status, again.detail[0]?.ctx]).toEqual([409, { status: 'failed' }]);
  });

  test('a wait is answered when the run ends in another process and its notification arrives', async () => {
    const client = new pg.Client({ connectionString: idle.connectionString });
    await client.connect();
    await client.query(`listen ${NOTIFICATION_CHANNEL}`);
    const created = await idle.call<Run>('POST', `${queueing.url}/process`, { body: runForm({ 'a.txt': 'a' }) });
    const told = new Promise<void>((resolve) =>
      client.on('notification', ({ payload }) => payload === runTopic(created.data.id) && resolve()),
    );
    const worker = await startTestService({
      QUIRE_ROLE: 'worker',
      QUIRE_DATABASE_URL: idle.connectionString,
      QUIRE_STORAGE_URL: path.join(idle.dataDir, 'storage'),
    });
    try {
      const seen = await idle.call<Run>('GET', `${urlOf(created.data, queueing)}?wait=60`);
      expect([seen.status, seen.data.status]).toEqual([200, 'done']);
      await told;
    } finally {
      await client.end();
      await worker.stop();
    }
  });

  test('deleting erases record, inputs and outputs at once, also of a run under way', async () => {
    const done = await post('?wait=60', runForm({ 'a.txt': 'a' }));
    const folder = (run: Run) => path.join(service.dataDir, 'storage/objects/workspaces', workspace.id, 'runs', run.id);
    expect(existsSync(folder(done.data))).toBe(true);
    const deleted = await service.call<Run>('DELETE', urlOf(done.data));
    expect([deleted.status, deleted.data.id, deleted.data.outcome]).toEqual([200, done.data.id, null]);
    expect(deleted.data['outputsDeletedAt']).toMatch(TIMESTAMP);
    expect(existsSync(folder(done.data))).toBe(false);
    const queued = await idle.call<Run>('POST', `${queueing.url}/process`, { body: runForm({ 'a.txt': 'a' }) });
    const url = urlOf(queued.data, queueing);
    expect((await idle.call('DELETE', url)).status).toBe(200);
    for (const method of ['GET', 'DELETE']) expect((await idle.call(method, url)).status).toBe(404);
  });

  test('process.completed is recorded with the end of a run, however it ends', async () => {
    await subscribe((url, json) => service.call('POST', url, { json }), workspace.url, 'process.completed');
    const done = await post('?wait=60', runForm({ 'a.txt': 'a' }));
    const staged = await stage();
    await service.call('POST', `${urlOf(staged)}/cancel`);
    const client = new pg.Client({ connectionString: service.connectionString });
    await client.connect();
    const { rows } = await client.query(
      `select data from events where type = 'process.completed' and data->>'runId' = any($1) order by created_at`,
      [[done.data.id, staged.id]],
    );
    await client.end();
    expect(rows).toEqual([
      { data: { runId: done.data.id, status: 'done', files: ['a.txt'], error: null } },
      {
        data: {
          runId: staged.id,
          status: 'failed',
          files: [],
          error: { type: 'cancelled', message: 'The run was cancelled' },
        },
      },
    ]);
  });
});

describe('outcomes', () => {
  const brokenPdf = '%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\nnothing more of it\n%%EOF\n';

  test('failures are reported by file, and the other files are processed', async () => {
    const { data } = await post('?wait=60', runForm({ 'broken.pdf': brokenPdf, 'lease.md': LEASE }));
    expect([data.status, data.error]).toEqual(['done', null]);
    expect(data.outcome?.files.map(({ name, errors, outputs }) => [name, errors.length, outputs.length])).toEqual([
      ['broken.pdf', 1, 0],
      ['lease.md', 0, 1],
    ]);
    expect(data.outcome?.files[0]?.errors[0]).toMatchObject({ module: 'parse', type: 'corrupt' });
  });

  test('when nothing was produced the run has failed, and its outcome says why', async () => {
    const { data } = await post('?wait=60', runForm({ 'broken.pdf': brokenPdf }));
    expect([data.status, data.error?.type]).toEqual(['failed', 'corrupt']);
    expect(data.outcome?.files[0]?.errors).toEqual([{ module: 'parse', ...data.error }]);
  });

  test('the members of an archive are files of the run, named by their path', async () => {
    const zip = zipSync({
      'docs/lease.md': Buffer.from(LEASE),
      'docs/broken.pdf': Buffer.from(brokenPdf),
      'tool.exe': Buffer.from('MZ'),
      'inner.zip': zipSync({ 'deep.txt': Buffer.from('deep') }),
    });
    const { data } = await post('?wait=60', runForm({ 'all.zip': Buffer.from(zip), 'deep.txt': 'flat' }));
    expect(data.files).toEqual(['all.zip', 'deep.txt']);
    const found = data.outcome?.files.map(({ name, errors, outputs }) => [name, errors[0]?.type, outputs[0]?.path]);
    expect(found).toEqual([
      ['docs/lease.md', undefined, '1/document.md'],
      ['docs/broken.pdf', 'corrupt', undefined],
      ['tool.exe', 'unsupported', undefined],
      ['inner.zip/deep.txt', undefined, '4/document.md'],
      ['deep.txt', undefined, '5/document.md'],
    ]);
  });

  test('a text above 256 kB is an output only, to be read in ranges and never run by a browser', async () => {
    const text = 'A line that is written again and again.\n\n'.repeat(7_000);
    const blocks = { parserConfig: { formats: ['markdown', 'html', 'blocks'] } };
    const { data } = await post('?wait=60', runForm({ 'long.md': text }, blocks));
    const { markdown, html, blocks: tree } = data.outcome!.files[0]!.parse!;
    expect([markdown, html, tree].map((each) => [each?.path, each && 'content' in each])).toEqual([
      ['1/document.md', false],
      ['1/document.html', false],
      ['1/blocks.json', false],
    ]);
    const url = `${urlOf(data)}/outputs/${markdown?.path}`;
    const whole = await service.call('GET', url);
    expect([whole.status, whole.text.length, whole.headers.get('content-type')]).toEqual([
      200,
      markdown?.sizeBytes,
      'text/markdown; charset=utf-8',
    ]);
    expect(whole.headers.get('x-content-type-options')).toBe('nosniff');
    expect(whole.headers.get('content-security-policy')).toContain('sandbox');
    const etag = whole.headers.get('etag') ?? '';
    const range = await service.call('GET', url, { headers: { range: 'bytes=2-5' } });
    expect([range.status, range.text]).toEqual([206, 'line']);
    expect((await service.call('GET', url, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  test('small outputs are inline and can be read by themselves, JSON as JSON', async () => {
    const blocks = { parserConfig: { formats: ['html', 'blocks'] } };
    const { data } = await post('?wait=60', runForm({ 'lease.md': LEASE }, blocks));
    const { blocks: tree, html } = data.outcome!.files[0]!.parse!;
    expect(tree?.content).toMatchObject([{ id: 'b1', type: 'section' }]);
    const file = await service.call('GET', `${urlOf(data)}/outputs/${html?.path}`);
    expect(file.text).toBe(html?.content);
    const picture = await service.call('GET', `${urlOf(data)}/outputs/1/thumbnail.webp`);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp']);
    for (const path of ['1/none.md', '2/thumbnail.webp', '..%2f..%2fx', 'x']) {
      expect([path, (await service.call('GET', `${urlOf(data)}/outputs/${path}`)).status]).toEqual([path, 404]);
    }
  });

  test('characters that PostgreSQL does not take are kept', async () => {
    const { data } = await post('?wait=60', runForm({ 'nul.json': '{"a": "x\\u0000y\\ud800z"}' }));
    expect([data.status, data.error]).toEqual(['done', null]);
  });
});

test('runs are listed newest first, filtered by status on request', async () => {
  const other = await createWorkspace(service);
  const url = `${other.url}/process`;
  const done = await service.call<Run>('POST', `${url}?wait=60`, { body: runForm({ 'a.txt': 'a' }) });
  const staged = await service.call<Run>('POST', `${url}?staged=true`);
  const all = await service.call<{ items: Run[]; total: number }>('GET', url);
  expect(all.data.items).toEqual([staged.data, done.data]);
  const some = await service.call<{ items: Run[]; total: number }>('GET', `${url}?status=done`);
  expect([some.data.items, some.data.total]).toEqual([[done.data], 1]);
});
