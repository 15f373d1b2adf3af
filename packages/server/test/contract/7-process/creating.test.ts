/** CONTRACT section 7: creating runs. Webhooks and the results of the modules are tested elsewhere. */
import { describe, expect, test } from 'vitest';
import { runForm } from '../../factories.ts';
import {
  DAY_MS,
  UUID,
  TIMESTAMP,
  LEASE,
  type Run,
  service,
  workspace,
  idle,
  queueing,
  post,
  read,
  places,
  useRuns,
} from './runs.ts';

useRuns();

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
