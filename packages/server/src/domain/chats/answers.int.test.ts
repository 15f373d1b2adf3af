/** Slow answers: two processes over one database, with a model that waits for the test. */
import { Fold, type Line } from '@quire/diffcp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/postgres.ts';
import { connectDatabase, type DatabaseHandle } from '../../database/connect.ts';
import { PostgresNotifications } from '../../database/notifications-postgres.ts';
import { createLogger } from '../../logger.ts';
import { Metrics } from '../../metrics.ts';
import { Instance } from '../../queue/instance.ts';
import type { SearchService } from '../search/service.ts';
import { WorkspaceService } from '../workspaces/service.ts';
import type { AnswerEngine, AnswerMeter, AnswerRequest, Draft } from './answer-engine.ts';
import { Answers } from './answers.ts';
import { toMessage, type Conversation } from './conversation.ts';
import { ChatRepository } from './repository.ts';
import { ChatService } from './service.ts';
import { EVERY_CHAT, viewerOf, type FindViewer } from './viewer.ts';

const logger = createLogger({ level: 'silent' });
const OWNER = {
  keyId: '0192f0c4-0000-7000-8000-000000000002',
  permission: 'write',
  workspaceId: null,
  collectionIds: null,
} as const;
const findViewer: FindViewer = async (_workspaceId, principal) => viewerOf(principal, 'private');

/** An engine whose text and end the test controls. */
class Told implements AnswerEngine {
  #begin: (draft: Draft) => void = () => undefined;
  #end: () => void = () => undefined;
  readonly begun = new Promise<Draft>((resolve) => (this.#begin = resolve));
  readonly #ended = new Promise<void>((resolve) => (this.#end = resolve));

  async answer(_request: AnswerRequest, draft: Draft, meter: AnswerMeter): Promise<void> {
    this.#begin(draft);
    await this.#ended;
    await draft.write(() => undefined);
    meter.spend({ inputTokens: 3, outputTokens: 4 });
  }

  end(): void {
    this.#end();
  }
}

const say = (draft: Draft, text: string): Promise<void> =>
  draft.write(({ parts }) => {
    const [part] = parts;
    if (part?.type === 'text') part.text += text;
    else parts.push({ type: 'text', text });
  });

let database: TestDatabase;
let handle: DatabaseHandle;
let notifications: PostgresNotifications;
let workspaceId: string;
let chatId: string;
let closers: (() => Promise<unknown>)[];

beforeEach(async () => {
  database = await createTestDatabase();
  const connection = database.connectionString;
  handle = connectDatabase({ connection, poolSize: 8, applicationName: 'test', logger });
  notifications = await PostgresNotifications.connect({ connection, logger });
  closers = [];
  const { db } = handle;
  const queue = { enqueue: async () => undefined } as never;
  workspaceId = (await new WorkspaceService({ database: db, queue, onDeleted: () => undefined }).create('Workspace'))
    .id;
  const configurations = await db.selectFrom('configurations').select(['id', 'role']).execute();
  const idOf = (role: string): string => configurations.find((each) => each.role === role)!.id;
  const collectionId = '0192f0c4-0000-7000-8000-000000000001';
  await db
    .insertInto('collections')
    .values({
      id: collectionId,
      workspace_id: workspaceId,
      name: 'Collection',
      parser_id: idOf('parser'),
      embedder_id: idOf('dense_embedder'),
      sparse_embedder_id: idOf('sparse_embedder'),
      chunking: '{}',
    })
    .execute();
  const chats = new ChatService({ database: db, findViewer });
  chatId = (await chats.create(workspaceId, OWNER, { collection_id: collectionId })).id;
});
afterEach(async () => {
  for (const close of closers.toReversed()) await close();
  await notifications.close();
  await handle.close();
  await database.drop();
});

async function startProcess(engine: AnswerEngine): Promise<{ answers: Answers; instance: Instance }> {
  const instance = await Instance.start({ db: handle.db, role: 'api', logger, heartbeatMs: 3_600_000 });
  const search = {} as SearchService;
  const engines = { open: async () => engine };
  const answers = new Answers({
    database: handle.db,
    notifications,
    search,
    metrics: new Metrics(),
    logger,
    engines,
    findViewer,
  });
  await answers.start(instance.id, false);
  closers.push(
    () => instance.stop(),
    () => answers.close(),
  );
  return { answers, instance };
}

const history = async () =>
  (
    await new ChatRepository(handle.db).history(workspaceId, EVERY_CHAT, chatId, { limit: 100, order: 'asc' })
  ).items.map((record) => toMessage(record));

const never = new AbortController().signal;

async function collect(lines: AsyncGenerator<Line>, onLine: (line: Line) => void = () => undefined): Promise<Fold> {
  const fold = new Fold();
  for await (const line of lines) {
    fold.push(line);
    onLine(line);
  }
  return fold;
}

const stateOf = (fold: Fold): Conversation => fold.state as unknown as Conversation;

/** `seen` resolves when a line with at least this number has arrived. */
function whenSeen(seq: number): { seen: Promise<void>; onLine: (line: Line) => void } {
  let resolve = (): void => undefined;
  const seen = new Promise<void>((each) => (resolve = each));
  return { seen, onLine: (line) => line.seq >= seq && resolve() };
}

test('a stream is read in another process while it runs, and both streams produce the history', async () => {
  const model = new Told();
  const [here, there] = [await startProcess(model), await startProcess(new Told())];
  const live = await here.answers.ask(workspaceId, OWNER, chatId, 'Why?');
  const told = whenSeen(1);
  const own = collect(live.read(), told.onLine);
  const tailed = whenSeen(2);
  const elsewhere = collect(there.answers.tail(live.state.messages[1].id, -1, never), tailed.onLine);
  const draft = await model.begun;
  await say(draft, 'One 😀 ');
  await told.seen;
  await say(draft, 'two');
  await tailed.seen;
  model.end();
  const [a, b] = [await own, await elsewhere];
  expect(stateOf(a)).toEqual(stateOf(b));
  expect(stateOf(a).messages).toEqual(await history());
  expect(stateOf(a).messages[1]).toMatchObject({ status: 'done', usage: { inputTokens: 3, outputTokens: 4 } });
});

test('a chat answers one message at a time', async () => {
  const model = new Told();
  const { answers } = await startProcess(model);
  const live = await answers.ask(workspaceId, OWNER, chatId, 'Why?');
  await expect(answers.ask(workspaceId, OWNER, chatId, 'And?')).rejects.toMatchObject({ status: 409 });
  model.end();
  await live.finished();
  expect(await history()).toHaveLength(2);
});

test('stop ends an answer of another process and keeps its text', async () => {
  const model = new Told();
  const [here, there] = [await startProcess(model), await startProcess(new Told())];
  const live = await here.answers.ask(workspaceId, OWNER, chatId, 'Why?');
  const own = collect(live.read());
  await say(await model.begun, 'Because');
  const stopping = there.answers.stop(live.state.messages[1].id);
  expect(await stopping).toMatchObject({ status: 'stopped', parts: [{ text: 'Because' }], error: null });
  expect(stateOf(await own).messages).toEqual(await history());
});

test('an answer whose process died fails with its stored text, and the chat accepts the next question', async () => {
  const model = new Told();
  const [dying, other] = [await startProcess(model), await startProcess(new Told())];
  const live = await dying.answers.ask(workspaceId, OWNER, chatId, 'Why?');
  const id = live.state.messages[1].id;
  const tailed = collect(other.answers.tail(id, -1, never));
  const wasStored = new Promise<void>((resolve) => notifications.subscribe(`message:${id}`, resolve));
  await say(await model.begun, 'Because');
  await wasStored;
  expect(await other.answers.reap()).toBe(0);
  await handle.db
    .updateTable('instances')
    .set({ heartbeat_at: new Date(Date.now() - 60_000) })
    .where('id', '=', dying.instance.id)
    .execute();
  expect(await other.answers.reap()).toBe(1);
  const { messages } = stateOf(await tailed);
  expect(messages).toEqual(await history());
  expect(messages[1]).toMatchObject({
    status: 'failed',
    parts: [{ type: 'text', text: 'Because' }],
    error: { type: 'interrupted' },
  });
  // The process was not dead: its later writes have no effect.
  model.end();
  await live.finished();
  expect((await history())[1]).toEqual(messages[1]);
  // A reader that is ahead of the stored lines receives the whole state.
  const ahead = await other.answers.tail(id, 99, never).next();
  expect(ahead.value).toMatchObject({ seq: 100, ops: [{ op: 'replace', path: '' }] });
  const next = await other.answers.ask(workspaceId, OWNER, chatId, 'Again?');
  expect(next.state.messages[1].status).toBe('streaming');
});

test('a reader whose next lines were removed receives the whole state', async () => {
  const model = new Told();
  const { answers } = await startProcess(model);
  const live = await answers.ask(workspaceId, OWNER, chatId, 'Why?');
  await say(await model.begun, 'Because');
  model.end();
  await live.finished();
  await handle.db.deleteFrom('chat_lines').execute();
  const lines: Line[] = [];
  const fold = await collect(answers.tail(live.state.messages[1].id, -1, never), (line) => lines.push(line));
  expect(lines).toHaveLength(1);
  expect(stateOf(fold).messages).toEqual(await history());
});
