/** CONTRACT section 1: what the service answers while its disk has less free space than the floor. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCollection, createWorkspace } from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ QUIRE_MIN_FREE_BYTES: String(10 ** 15) });
});
afterAll(() => service.stop());

test('uploads are refused with storage_full, and the service is not ready', async () => {
  const workspace = await createWorkspace(service);
  const { url } = await createCollection(service, workspace);
  const json = { name: 'a.txt', content: 'text', contentType: 'text/plain' };
  const raw = await service.call('POST', `${url}/docs/raw`, { json });
  const form = new FormData();
  form.append('file', new File(['text'], 'a.txt'));
  const multipart = await service.call('POST', `${url}/docs/file-multipart`, { body: form });
  const binary = await service.call('POST', `${url}/docs/file-binary`, {
    body: 'text',
    headers: { 'content-disposition': 'attachment; filename="a.txt"' },
  });
  for (const answer of [raw, multipart, binary]) {
    expect([answer.status, answer.detail[0]?.type, answer.headers.get('retry-after')]).toEqual([
      503,
      'storage_full',
      '30',
    ]);
  }
  const ready = await service.call('GET', '/readyz', { key: null });
  const storage = (ready.detail[0]!.ctx!['dependencies'] as Record<string, { ok: boolean; detail?: string }>)[
    'storage'
  ];
  expect([ready.status, storage?.ok]).toEqual([503, false]);
  expect(storage?.detail).toMatch(/^\d+ MB free, at least 1000000000 MB needed$/);
  expect((await service.call('GET', `${url}/docs`)).status).toBe(200);
});
