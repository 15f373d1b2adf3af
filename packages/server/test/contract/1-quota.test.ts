/** CONTRACT sections 1 and 12: what the service answers when a workspace stores as much as it may. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeZip } from '@quire/parse/archive/testing/make-zip';
import { createCollection, createWorkspace, runForm, type AnyRecord } from '../factories.ts';
import { startTestService, type TestAnswer, type TestService } from '../server.ts';

const LIMIT = 1_000;
let service: TestService;
let workspace: Awaited<ReturnType<typeof createWorkspace>>;
let url: string;

beforeAll(async () => {
  service = await startTestService({ QUIRE_WORKSPACE_MAX_BYTES: String(LIMIT) });
  workspace = await createWorkspace(service);
  url = `${(await createCollection(service, workspace)).url}/docs`;
});
afterAll(() => service.stop());

const raw = (content: string): Promise<TestAnswer<AnyRecord>> =>
  service.call('POST', `${url}/raw?wait=60`, { json: { name: 'a.txt', content, contentType: 'text/plain' } });

function binary(name: string, body: Buffer): Promise<TestAnswer<AnyRecord>> {
  const headers = { 'content-disposition': `attachment; filename="${name}"` };
  return service.call('POST', `${url}/file-binary?wait=60`, { body: new Uint8Array(body), headers });
}

const refusal = (used: number, needed: number) => ({
  loc: [],
  msg: `The workspace may store ${LIMIT} bytes; it stores ${used}, and ${needed} more are needed`,
  type: 'quota_exceeded',
  ctx: { quota: 'bytes', limit: LIMIT, used, needed },
});

test('uploads, new content and runs beyond the quota are refused, and there is room again after a purge', async () => {
  const first = await raw('Heron. '.repeat(100));
  expect([first.status, first.data['status']]).toEqual([202, 'ready']);
  const content = 'Stork. '.repeat(100);
  const form = new FormData();
  form.append('file', new File([content], 'a.txt'));
  const answers = [
    await raw(content),
    await service.call('POST', `${url}/file-multipart`, { body: form }),
    await binary('b.txt', Buffer.from(content)),
    await service.call('PUT', `${url}/${first.data.id}/raw`, {
      json: { name: 'a.txt', content, contentType: 'text/plain' },
    }),
    await service.call('POST', `${workspace.url}/process`, { body: runForm({ 'a.txt': content }) }),
  ];
  expect(answers.map(({ status, detail }) => [status, detail])).toEqual(answers.map(() => [429, [refusal(700, 700)]]));
  const other = await createWorkspace(service, 'Other');
  const elsewhere = (await createCollection(service, other)).url;
  const json = { name: 'a.txt', content, contentType: 'text/plain' };
  expect((await service.call('POST', `${elsewhere}/docs/raw`, { json })).status).toBe(202);
  await service.call('DELETE', `${url}/${first.data.id}?purge=true`);
  const second = await raw(content);
  expect([second.status, second.data['status']]).toEqual([202, 'ready']);
  await service.call('DELETE', `${url}/${second.data.id}?purge=true`);
});

test('an archive whose members exceed the quota fails with the reason, and can be retried', async () => {
  const kept = await raw('Crane. '.repeat(90));
  const zip = makeZip([{ name: 'a.txt', data: 'Egret. '.repeat(50) }]);
  const { data } = await binary('a.zip', zip);
  expect(data).toMatchObject({
    status: 'failed',
    error: { type: 'quota_exceeded', message: refusal(630 + zip.length, 350).msg },
  });
  await service.call('DELETE', `${url}/${kept.data.id}?purge=true`);
  expect((await service.call('POST', `${url}/${data.id}/retry`)).status).toBe(202);
  const retried = await service.call<AnyRecord>('GET', `${url}/${data.id}?wait=60`);
  expect(retried.data['status']).toBe('ready');
});
