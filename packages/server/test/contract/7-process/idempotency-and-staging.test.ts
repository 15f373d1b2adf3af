/** CONTRACT section 7: idempotency keys, and runs whose files are sent one by one. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createWorkspace, runForm, type AnyRecord } from '../../factories.ts';
import {
  type Run,
  service,
  workspace,
  sha256,
  post,
  urlOf,
  submitted,
  stage,
  places,
  sendFile,
  useRuns,
} from './runs.ts';

useRuns();

const STAGED_UPLOADS = Number(process.env['QUIRE_TEST_STAGED_UPLOADS'] ?? 60);

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
