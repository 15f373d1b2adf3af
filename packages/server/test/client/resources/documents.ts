/** Collections and documents through the client. */
import { ConflictError, InvalidRequestError, NotFoundError } from '@quire/client';
import { makePdf, TestPage } from '@quire/parse/formats/pdf/testing/make-pdf';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createDocuments, quire, url } from './service.ts';

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
  await documents.replace(id, { name: 'b.md', content: 'Third text.' }).ready();
  const text = { name: 'b.md', content: 'Fourth text.', contentType: 'text/markdown' };
  expect(await documents.replaceText(id, text).ready()).toMatchObject({ id, revision: 4 });
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

test('pages are listed and drawn, with the evidence of a hit marked or cropped', async () => {
  const documents = await createDocuments();
  const content = new Uint8Array(makePdf([new TestPage(600, 800).text(60, 100, 'The osprey dives.', { size: 20 })]));
  const { id, collectionId } = await documents.upload({ name: 'osprey.pdf', content }).ready();
  expect(await documents.pages(id)).toEqual([{ page: 1, width: 600, height: 800 }]);
  const whole = await documents.page(id, 1, { width: 400 });
  expect(whole.type).toBe('image/webp');
  const [hit] = (await quire.collection(collectionId).search('osprey')).hits;
  const [marked, cropped] = await Promise.all(
    [false, true].map((crop) => quire.document(hit!).picture(hit!, { crop })),
  );
  expect([marked?.type, cropped?.type]).toEqual(['image/webp', 'image/webp']);
  expect(cropped?.size).toBeLessThan(marked?.size ?? 0);
});

test('the evidence of a citation is drawn on its page, and one without pages has no picture', async () => {
  const documents = await createDocuments();
  const content = new Uint8Array(
    makePdf([
      new TestPage(600, 800).text(60, 100, 'This page is about the weather.', { size: 20 }),
      new TestPage(600, 800).text(60, 400, 'The osprey nests on the harbour crane.', { size: 20 }),
    ]),
  );
  const { collectionId } = await documents.upload({ name: 'osprey.pdf', content }).ready();
  const chat = await quire.chats.create({ title: 'Birds', collection_id: collectionId });
  const { citations } = await quire.chat(chat.id).ask('Where does the osprey nest?').final;
  const [citation] = citations;
  expect(citation).toMatchObject({ documentName: 'osprey.pdf', boxes: [{ page: 2 }] });
  const document = quire.document(citation!);
  const drawn = async (blob: Promise<Blob>): Promise<{ width: number; height: number; blue: number }> => {
    const picture = sharp(Buffer.from(await (await blob).arrayBuffer()));
    const [{ width, height }, { channels }] = await Promise.all([picture.metadata(), picture.stats()]);
    return { width, height, blue: channels[2]?.mean ?? 0 };
  };
  const [page, marked, cropped] = await Promise.all([
    drawn(document.page(2, { width: 600 })),
    drawn(document.picture(citation!, { width: 600 })),
    drawn(document.picture(citation!, { width: 600, crop: true })),
  ]);
  expect([page.width, page.height, marked.width, marked.height]).toEqual([600, 800, 600, 800]);
  // The mark is yellow.
  expect(marked.blue).toBeLessThan(page.blue);
  expect(cropped.height).toBeLessThan(200);
  await expect(document.picture({ boxes: [] })).rejects.toMatchObject({ name: 'QuireError', type: 'no_picture' });
  await expect(document.picture(citation!, { page: 1 })).rejects.toMatchObject({ type: 'no_picture' });
});

test('a collection is indexed again, and the new index is given up', async () => {
  const documents = await createDocuments();
  const { collectionId } = await documents.upload({ name: 'a.txt', content: 'The heron waits.' }).ready();
  let cancelled: unknown;
  // The new index may be complete before it can be given up, which is a conflict; then another one is begun.
  do {
    expect(await quire.collections.reindex(collectionId)).toMatchObject({ reindex: { status: 'running' } });
    cancelled = await quire.collections.cancelReindex(collectionId).catch((error: unknown) => error);
  } while (cancelled instanceof ConflictError);
  expect(cancelled).toMatchObject({ id: collectionId });
  expect((await quire.collection(collectionId).search('heron')).hits.length).toBe(1);
});
