/** Each resource through the client: what it returns, and the errors of its calls. */
import { ConflictError, InvalidRequestError, NotFoundError, PermissionError, Quire } from '@quire/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createWorkspace } from '../factories.ts';
import { ROOT_KEY, startTestService, type TestService } from '../server.ts';

let service: TestService;
let quire: Quire;
let url: string;

beforeAll(async () => {
  service = await startTestService();
  url = service.address;
  quire = new Quire({ url, key: (await createWorkspace(service)).admin });
});
afterAll(() => service.stop());

const createDocuments = async () => quire.collection((await quire.collections.create({ name: 'C' })).id).documents;

test('workspaces and keys', async () => {
  const root = new Quire({ url, key: ROOT_KEY });
  const made = await root.workspaces.create({ name: 'One' });
  expect(await root.workspaces.update(made.id, { name: 'Two' })).toMatchObject({ id: made.id, name: 'Two' });
  expect((await root.workspaces.list().all()).map(({ id }) => id)).toContain(made.id);
  const inside = root.workspace(made.id);
  const { key, id } = await inside.keys.create({ name: 'reader', permission: 'read' });
  const reader = new Quire({ url, key });
  expect(await reader.whoami()).toMatchObject({ keyId: id, permission: 'read', workspaceId: made.id });
  expect(await reader.workspaceId()).toBe(made.id);
  await expect(reader.collections.create({ name: 'C' })).rejects.toThrow(PermissionError);
  await expect(quire.workspaces.get(made.id)).rejects.toThrow(NotFoundError);
  await inside.keys.revoke(id);
  expect((await inside.keys.list().all()).map((each) => each.id)).not.toContain(id);
  await root.workspaces.delete(made.id);
  expect(await quire.health()).toMatchObject({});
  expect((await quire.readiness()).dependencies).toMatchObject({ database: { ok: true } });
  expect(await root.metrics()).toContain('# HELP');
});

test('collections', async () => {
  const { id } = await quire.collections.create({ name: 'One', metadata: { a: 1 } });
  expect(await quire.collections.update(id, { name: 'Two' })).toMatchObject({ name: 'Two', metadata: { a: 1 } });
  await expect(quire.collections.create({ name: '' })).rejects.toMatchObject({ type: 'string_too_short', status: 422 });
  await quire.collections.delete(id);
  expect((await quire.collections.list().all()).map((each) => each.id)).not.toContain(id);
  expect((await quire.collections.list({ includeDeleted: true }).all()).map((each) => each.id)).toContain(id);
  await expect(quire.collections.update(id, { name: 'Three' })).rejects.toThrow(ConflictError);
  await quire.collections.undelete(id);
  expect(await quire.collection(id).get()).toMatchObject({ name: 'Two', deletedAt: null });
  await quire.collections.delete(id, { purge: true });
  await expect(quire.collections.get(id)).rejects.toThrow(NotFoundError);
});

test('documents: content, metadata, chunks, artifacts, deletion', async () => {
  const documents = await createDocuments();
  const made = await documents
    .uploadText({ name: 'a.md', content: '# Title\n\nText.', contentType: 'text/markdown' })
    .ready();
  const { id } = made;
  expect(await documents.update(id, { metadata: { year: 2026 } })).toMatchObject({ metadata: { year: 2026 } });
  const detail = await documents.get(id, { include: ['blocks', 'chunks', 'vectors'] });
  expect([detail.blocks?.length, detail.chunks?.length]).toEqual([1, 1]);
  const [chunk] = await documents.chunks(id, { include: ['vectors'] }).all();
  expect(await documents.chunk(id, chunk?.id ?? '', { include: ['vectors'] })).toEqual(chunk);
  expect(await documents.markdown(id)).toContain('# Title');
  expect(await documents.html(id)).toContain('<h1');
  expect(await (await documents.original(id)).text()).toBe('# Title\n\nText.');
  expect((await documents.thumbnail(id)).type).toBe('image/webp');
  const { original } = await documents.links(id);
  expect(await (await fetch(url + original)).text()).toBe('# Title\n\nText.');
  const replaced = await documents
    .replace(id, { name: 'b.md', content: 'Other text.' }, { metadata: { b: 1 } })
    .ready();
  expect(replaced).toMatchObject({ id, name: 'b.md', revision: 2 });
  expect(await quire.document(id).markdown()).toContain('Other text.');
  expect(await quire.document(replaced).get()).toMatchObject({ id });
  await documents.delete(id);
  expect(await documents.list().page()).toMatchObject({ items: [], total: 0 });
  await documents.undelete(id);
  expect(await documents.deleteMany({ filter: { name: 'b.md' } })).toEqual({ deleted: 1 });
});

test('a document that fails has its type, and is processed again', async () => {
  const documents = await createDocuments();
  const upload = documents.upload({ name: 'blank.txt', content: '   ' });
  await expect(upload.ready()).rejects.toMatchObject({
    name: 'FailedError',
    type: 'no_text',
    record: { status: 'failed' },
  });
  const { id } = await upload;
  await expect(documents.retry(id).ready()).rejects.toMatchObject({ type: 'no_text' });
  expect(await documents.retryMany({ filter: { status: 'failed' } })).toEqual({ retried: 1 });
  await expect(documents.upload({ name: 'a.exe', content: 'MZ' })).rejects.toThrow(InvalidRequestError);
});

test('many files: a few at a time, each content once, one outcome each', async () => {
  const documents = await createDocuments();
  await documents.upload({ name: 'there.txt', content: 'Content 0' }).ready();
  const texts = [0, 1, 2, 1, 3, 4, 5, 1].map((content, index) => ({
    name: `${index}.txt`,
    content: `Content ${content}`,
  }));
  let sentBytes = 0;
  const outcomes = await documents
    .uploadMany(
      [
        ...texts,
        'no-such-file.txt',
        { file: { name: 'x.exe', content: 'MZ' } },
        { file: { name: 'm.txt', content: 'With metadata' }, metadata: { own: 1 } },
      ],
      {
        parallel: 2,
        ready: true,
        metadata: { batch: 7 },
        onProgress: (progress) => (sentBytes = progress.sentBytes),
      },
    )
    .all();
  expect(outcomes.map(({ name, status }) => `${name} ${status}`).toSorted()).toEqual([
    '0.txt duplicate',
    '1.txt uploaded',
    '2.txt uploaded',
    '3.txt duplicate',
    '4.txt uploaded',
    '5.txt uploaded',
    '6.txt uploaded',
    '7.txt duplicate',
    'm.txt uploaded',
    'no-such-file.txt failed',
    'x.exe failed',
  ]);
  expect((await documents.list().page()).total).toBe(7);
  expect(sentBytes).toBeGreaterThan(50);
  const found = outcomes.find(({ name }) => name === 'm.txt');
  expect(found).toMatchObject({ document: { status: 'ready', metadata: { batch: 7, own: 1 } } });
  const errors = outcomes.flatMap((each) => (each.status === 'failed' ? [each.error] : []));
  expect(
    errors.map((error) => ('code' in error ? error.code : (error as InvalidRequestError).type)).toSorted(),
  ).toEqual(['ENOENT', 'unsupported_file_type']);
});

test('a collection that is gone ends the upload of many files', async () => {
  const gone = quire.collection(crypto.randomUUID()).documents.uploadMany([{ name: 'a.txt', content: 'a' }]);
  await expect(gone.all()).rejects.toThrow(NotFoundError);
});

test('runs: typed data of a schema, staged files, outputs', async () => {
  const Invoice = z.object({ total: z.number().transform((total) => ({ cents: total * 100 })) });
  const files = [{ name: 'invoice.md', content: '# Invoice\n\nTotal: 1450.00' }];
  const run = await quire.process({ files, extract: { schema: Invoice } });
  const [file] = run.outcome.files;
  // The type is that of the schema: this line does not compile otherwise.
  const cents: number | undefined = file?.extraction?.data.total.cents;
  expect(cents).toBe(145_000);
  const Never = z.object({ total: z.number() }).refine(() => false, 'never right');
  const refused = await quire.process({ files, extract: { schema: Never } });
  expect(refused.outcome.files[0]?.extraction).toBeUndefined();
  expect(refused.outcome.files[0]?.errors).toEqual([
    { module: 'extraction', type: 'schema_mismatch', message: 'never right' },
  ]);
  const schema = { type: 'object', properties: { total: { type: 'number' } } };
  const plain = await quire.process({ files, extract: { schema } });
  expect(plain.outcome.files[0]?.extraction?.data).toEqual({ total: 1450 });
  const parsed = await quire.process({ files, parse: { formats: ['markdown'] } });
  const path = parsed.outcome.files[0]?.parse?.markdown?.path ?? '';
  expect(await (await quire.runs.output(parsed.id, path)).text()).toContain('Total: 1450.00');
  const again = { files, idempotencyKey: 'the same' };
  expect((await quire.process(again)).id).toBe((await quire.process(again)).id);
  expect((await quire.runs.list({ status: 'done' }).page()).total).toBeGreaterThanOrEqual(4);
  expect((await quire.runs.delete(run.id)).id).toBe(run.id);
});

test('a run of which nothing is produced fails with its reason', async () => {
  const files = [{ name: 'broken.pdf', content: '%PDF-1.4 broken' }];
  await expect(quire.process({ files })).rejects.toThrow(Error);
});

test('configurations', async () => {
  const config = { provider: 'local' as const, model: 'extractive' };
  const made = await quire.models.create({ name: 'Mine', config });
  expect(await quire.models.test(made.id)).toMatchObject({ ok: true });
  expect(await quire.models.update(made.id, { name: 'Yours' })).toMatchObject({ name: 'Yours' });
  await quire.models.delete(made.id);
  expect((await quire.models.list().all()).map(({ id }) => id)).not.toContain(made.id);
  expect(await quire.models.undelete(made.id)).toMatchObject({ deletedAt: null });
  expect((await quire.embedders.list().all()).map(({ config: each }) => each.provider)).toContain('bm25');
  expect((await quire.parsers.list().all()).map(({ config: each }) => each.provider)).toContain('service');
});

test('webhooks and deliveries', async () => {
  const fields = { name: 'W', url: 'https://receiver.invalid/', signingSecret: 's'.repeat(16) };
  const made = await quire.webhooks.create({ ...fields, events: ['document.ready'] });
  expect(await quire.webhooks.update(made.id, { name: 'V' })).toMatchObject({ name: 'V' });
  const delivery = await quire.webhooks.test(made.id);
  expect(await quire.deliveries.get(delivery.id)).toMatchObject({ webhookId: made.id, event: 'webhook.test' });
  expect((await quire.webhooks.deliveries(made.id).all()).map(({ id }) => id)).toEqual([delivery.id]);
  expect((await quire.deliveries.list().all()).map(({ id }) => id)).toContain(delivery.id);
  await quire.webhooks.delete(made.id);
  await expect(quire.webhooks.get(made.id)).rejects.toThrow(NotFoundError);
});

test('a file of 64 MB is read from disk in pieces', async () => {
  const { mkdtemp, open, rm } = await import('node:fs/promises');
  const { tmpdir } = await import('node:os');
  const path = await import('node:path');
  const folder = await mkdtemp(path.join(tmpdir(), 'quire-large-'));
  try {
    const file = path.join(folder, 'large.txt');
    const handle = await open(file, 'w');
    await handle.truncate(64 * 1024 * 1024);
    await handle.close();
    let most = 0;
    let received = 0;
    const counting = new Quire({
      url,
      key: 'key',
      fetch: async (target, init) => {
        if (target.endsWith('/whoami')) return Response.json({ data: { workspaceId: crypto.randomUUID() } });
        for await (const piece of init.body as unknown as AsyncIterable<Uint8Array>) {
          received += piece.length;
          most = Math.max(most, piece.length);
        }
        return Response.json({ data: { id: 'd' } });
      },
    });
    await counting.collection('c').documents.upload(file);
    expect(received).toBe(64 * 1024 * 1024);
    expect(most).toBeLessThanOrEqual(1024 * 1024);
  } finally {
    await rm(folder, { recursive: true });
  }
});
