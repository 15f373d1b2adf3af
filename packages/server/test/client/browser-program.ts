/** The program that `browser.test.ts` bundles with the client and runs in a page: each part returns what it saw. */
import { NotFoundError, Quire, type Conversation, type LiveEvent } from '@quire/client';

export interface Access {
  url: string;
  key: string;
  collectionId: string;
}

const connect = ({ url, key }: Access): Quire => new Quire({ url, key });

/** Uploads a file with progress and waits until it is searchable. */
async function upload(access: Access, content: string): Promise<{ name: string; status: string; sent: number[] }> {
  const sent: number[] = [];
  const { name, status } = await connect(access)
    .collection(access.collectionId)
    .documents.upload(new File([content], 'hours (ä).md', { type: 'text/markdown' }), {
      metadata: { year: 2026 },
      onProgress: ({ sentBytes }) => sent.push(sentBytes),
    })
    .ready();
  return { name, status, sent };
}

/** Uploads the same content twice and other content once, from a folder that was dropped on the page. */
async function uploadMany(access: Access): Promise<string[]> {
  const files = ['Cats purr.', 'Dogs bark.', 'Cats purr.'].map((text, index) => new File([text], `${index}.txt`));
  const outcomes = await connect(access).collection(access.collectionId).documents.uploadMany(files).all();
  return outcomes.map(({ name, status }) => `${name} ${status}`).toSorted();
}

async function search(access: Access, query: string): Promise<string[]> {
  const { hits } = await connect(access).search({ query, filter: { 'metadata.year': 2026 } });
  return hits.map(({ documentName }) => documentName);
}

/** Sends a question and reads the answer as states, as events and as the final message. */
async function ask(access: Access, query: string) {
  const quire = connect(access);
  const chat = await quire.chats.create({ title: 'Hours', collection_id: access.collectionId });
  const answer = quire.chat(chat.id).ask(query);
  const states: Conversation[] = [];
  const readStates = async (): Promise<void> => {
    for await (const state of answer) states.push(state);
  };
  let streamed = '';
  const readEvents = async (): Promise<void> => {
    for await (const event of answer.events()) if (event.type === 'text') streamed += event.text;
  };
  await Promise.all([readStates(), readEvents()]);
  const message = await answer.final;
  const stored = (await quire.chat(chat.id).history().all())[1];
  return { states: states.length, last: states.at(-1)?.messages[1], message, stored, streamed };
}

/** Follows the events of an upload until it is ready, leaves, and reads the same events on a new connection. */
async function followUpload(access: Access): Promise<{ live: string[]; again: string[] }> {
  const quire = connect(access);
  const { documents } = quire.collection(access.collectionId);
  const stop = new AbortController();
  const events = quire.events({ signal: stop.signal });
  const first = events.next();
  // Only events after the connection are sent, so changes are made until one arrives.
  const change = (): Promise<undefined> =>
    quire.collections.update(access.collectionId, { metadata: { at: performance.now() } }).then(() => undefined);
  let seen = await Promise.race([first, change()]);
  while (seen === undefined) seen = await Promise.race([first, change()]);
  const position = seen.value?.lastEventId ?? '';
  const { id } = await documents.upload({ name: 'events.txt', content: 'An event happens.' });
  const live = await untilReady(events, id);
  stop.abort(new Error('left'));
  const resumed = quire.events({ lastEventId: position });
  const again = await untilReady(resumed, id);
  await resumed.return();
  return { live, again };
}

/** Returns the events up to the one that says that the document is ready. */
async function untilReady(events: AsyncGenerator<LiveEvent, void, undefined>, id: string): Promise<string[]> {
  const seen: string[] = [];
  for (;;) {
    const { value } = await events.next();
    if (value === undefined) return seen;
    const { type, data } = value;
    const status = data.state?.['status'];
    seen.push(`${type} ${data.id ?? ''} ${typeof status === 'string' ? status : ''}`);
    if (data.id === id && status === 'ready') return seen;
  }
}

/** Returns the fields of the error of an unknown document, which a page sees only if their headers are exposed. */
async function fail(access: Access) {
  const unknown = '0192f0c4-5b1e-7c3a-9d42-6f0a1b2c3d4e';
  const error: unknown = await connect(access)
    .collection(access.collectionId)
    .documents.get(unknown)
    .catch((reason: unknown) => reason);
  if (!(error instanceof NotFoundError)) throw error;
  return { type: error.type, status: error.status, requestId: error.requestId };
}

export const program = { upload, uploadMany, search, ask, followUpload, fail };
