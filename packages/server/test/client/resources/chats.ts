/** Chats through the client: records, an answer, and one that is followed elsewhere and stopped. */
import { expect, test } from 'vitest';
import { startChatProvider } from '../../chat-provider.ts';
import { createDocuments, quire } from './service.ts';

test('a chat is created, changed, asked, deleted and restored', async () => {
  const documents = await createDocuments();
  const { collectionId } = await documents.upload({ name: 'a.txt', content: 'The library closes at eight.' }).ready();
  const { id } = await quire.chats.create({ title: 'One', collection_id: collectionId });
  expect(await quire.chats.update(id, { title: 'Two' })).toMatchObject({ title: 'Two' });
  const answer = await quire.chat(id).ask('When does the library close?').final;
  expect(answer.citations.map(({ snippet }) => snippet)).toEqual(['The library closes at eight.']);
  expect(await quire.chat(id).follow(answer.id).final).toEqual(answer);
  expect((await quire.chat(id).history({ order: 'desc' }).page()).items[0]).toEqual(answer);
  expect((await quire.search('library')).hits[0]?.collectionId).toBe(collectionId);
  await quire.chats.delete(id);
  expect((await quire.chats.list().all()).map((each) => each.id)).not.toContain(id);
  await quire.chats.undelete(id);
  expect(await quire.chats.get(id)).toMatchObject({ title: 'Two', deletedAt: null });
});

test('a running answer is stopped by its id', async () => {
  let goOn: () => void = () => undefined;
  const wait = new Promise<void>((resolve) => (goOn = resolve));
  const provider = await startChatProvider(() => ['Before. ', { wait }, 'After.']);
  const config = { provider: 'provider_a' as const, model: 'm', baseUrl: provider.baseUrl };
  const model = await quire.models.create({ name: 'Slow', config });
  const collection = await quire.collections.create({ name: 'Empty' });
  const chat = await quire.chats.create({ title: 'Stopped', collection_id: collection.id, modelId: model.id });
  const answer = quire.chat(chat.id).ask('Slowly?');
  for await (const { messages } of answer) if (messages[1] !== undefined) break;
  const stopped = await quire.chat(chat.id).stop(answer.state?.messages[1]?.id ?? '');
  goOn();
  expect(stopped.status).toBe('stopped');
  expect(await answer.final).toEqual(stopped);
  await provider.close();
});
