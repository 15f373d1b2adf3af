/** CONTRACT section 7: how runs end, their outcomes and their list. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { createWorkspace, runForm, subscribe } from '../../factories.ts';
import { NOTIFICATION_CHANNEL } from '../../../src/database/notifications.ts';
import { runTopic } from '../../../src/domain/runs/types.ts';
import { startTestService } from '../../server.ts';
import { TIMESTAMP, LEASE, type Run, service, workspace, idle, queueing, post, urlOf, stage, useRuns } from './runs.ts';

useRuns();

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
