/** Uploads of many and of large files through the client. */
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NotFoundError, Quire, type InvalidRequestError } from '@quire/client';
import { expect, test } from 'vitest';
import { createDocuments, quire, url } from './service.ts';

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

test('a file of 64 MB is read from disk in pieces', async () => {
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
