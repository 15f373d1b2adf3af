/** Live events through the client. */
import { expect, test } from 'vitest';
import { createDocuments, quire } from './service.ts';

test('events tell what happens to a document, and end with the signal', async () => {
  const documents = await createDocuments();
  const stop = new AbortController();
  const events = quire.events({ signal: stop.signal });
  let seen = events.next();
  // Events begin with the connection, so changes are made until one arrives.
  const change = async () => {
    await quire.collections.create({ name: 'Another' });
    return undefined;
  };
  while ((await Promise.race([seen, change()])) === undefined);
  const { id, collectionId } = await documents.upload({ name: 'a.txt', content: 'An event.' });
  for (;;) {
    const { value } = await seen;
    if (value?.data.id === id && value.data.state?.['status'] === 'ready') {
      expect(value).toMatchObject({ type: 'document', data: { id, collectionId, state: { revision: 1 } } });
      break;
    }
    seen = events.next();
  }
  const last = events.next();
  stop.abort(new Error('enough'));
  await expect(last).rejects.toThrow('enough');
});
