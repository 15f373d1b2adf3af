/** SQL over stream lines and the messages that they produce. Every write requires that the message still streams. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { Fold, type Line, type Operation } from '@quire/diffcp';
import { NOTIFICATION_CHANNEL } from '../../../database/notifications.ts';
import type { Database, MessageContent, MessageRecord, MessageStatus } from '../../../database/tables.ts';
import type { Executor } from '../../../database/transaction.ts';
import type { Conversation, Message } from '../conversation.ts';

export const messageTopic = (messageId: string): string => `message:${messageId}`;
export const stopTopic = (messageId: string): string => `message-stop:${messageId}`;

/** Time without a heartbeat after which an instance counts as dead (see `queue/sweeper.ts`). */
const HEARTBEAT_TIMEOUT = '30 seconds';
/** Age at which lines are removed; readers that resume later receive the whole message. */
const LINE_RETENTION = '1 day';
const LINES_PER_READ = 500;

/** Lines to store, and the message in the state after the last of them. */
export interface StoredLines {
  lines: readonly Line[];
  message: Message;
  /** Whether the message's content is stored too; until then only the lines hold it. */
  whole: boolean;
}

function contentOf({
  parts,
  citations,
  support,
  droppedMarks,
  confidence,
  usage,
  error,
}: Message): Required<MessageContent> {
  return { parts, citations, support, droppedMarks, confidence, usage, error };
}

export class LineStore {
  readonly #database: Kysely<Database>;

  constructor(database: Kysely<Database>) {
    this.#database = database;
  }

  /**
   * Stores batches and notifies in one statement. Returns the ids of messages that still stream; others are skipped.
   */
  async storeAll(batch: readonly StoredLines[]): Promise<ReadonlySet<string>> {
    const messages = batch.map(({ message }) => message);
    const contents = batch.map(({ whole, message }) => (whole ? JSON.stringify(contentOf(message)) : null));
    const lastSeqs = batch.map(({ lines }) => lines.at(-1)?.seq ?? null);
    const lines = batch.flatMap(({ message, lines: own }) => own.map((line) => ({ ...line, id: message.id })));
    const { rows } = await sql<{ id: string }>`
      with states as (
        select * from unnest(${messages.map(({ id }) => id)}::uuid[], ${contents}::text[],
          ${messages.map(({ status }) => status)}::text[], ${lastSeqs}::int[]) as states (id, content, status, last_seq)
      ), updated as (
        update chat_messages set content = coalesce(states.content::jsonb, chat_messages.content),
          status = states.status,
          last_seq = coalesce(states.last_seq, chat_messages.last_seq),
          finished_at = case when states.status = 'streaming' then null else now() end
        from states where chat_messages.id = states.id and chat_messages.status = 'streaming'
        returning chat_messages.id
      ), inserted as (
        insert into chat_lines (message_id, seq, ops)
        select lines.id, lines.seq, lines.ops::jsonb
        from unnest(${lines.map(({ id }) => id)}::uuid[], ${lines.map(({ seq }) => seq)}::int[],
          ${lines.map(({ ops }) => JSON.stringify(ops))}::text[]) as lines (id, seq, ops)
        join updated on updated.id = lines.id
      )
      select id, pg_notify(${NOTIFICATION_CHANNEL}, ${messageTopic('')} || id) from updated`.execute(this.#database);
    return new Set(rows.map((row) => row.id));
  }

  async insert(executor: Executor, messageId: string, lines: readonly Line[]): Promise<void> {
    if (lines.length === 0) return;
    await executor
      .insertInto('chat_lines')
      .values(lines.map(({ seq, ops }) => ({ message_id: messageId, seq, ops: JSON.stringify(ops) })))
      .execute();
  }

  /** Returns up to `limit` lines after a sequence number. */
  async after(messageId: string, seq: number, limit: number): Promise<Line[]> {
    const rows = await this.#database
      .selectFrom('chat_lines')
      .select(['seq', 'ops'])
      .where('message_id', '=', messageId)
      .where('seq', '>', seq)
      .orderBy('seq')
      .limit(limit)
      .execute();
    return rows.map((row) => ({ seq: row.seq, ops: row.ops as Operation[] }));
  }

  /** Returns the content that the stored lines of a streaming answer produce. */
  async written(message: MessageRecord): Promise<MessageContent> {
    const fold = new Fold();
    for (;;) {
      const lines = await this.after(message.id, fold.seq, LINES_PER_READ);
      if (lines.length === 0 || lines[0]?.seq !== fold.seq + 1) break;
      for (const line of lines) fold.push(line);
    }
    if (fold.seq < message.last_seq) return message.content;
    // Each line was computed as the difference of two such states.
    return contentOf((fold.state as unknown as Conversation).messages[1]);
  }

  async message(messageId: string): Promise<MessageRecord | undefined> {
    return this.#database.selectFrom('chat_messages').selectAll().where('id', '=', messageId).executeTakeFirst();
  }

  streaming(): Promise<MessageRecord[]> {
    return this.#database.selectFrom('chat_messages').selectAll().where('status', '=', 'streaming').execute();
  }

  /** Returns streaming messages of dead processes, and those of this process. */
  suspects(instanceId: string | null): Promise<MessageRecord[]> {
    return this.#database
      .selectFrom('chat_messages')
      .leftJoin('instances', (join) =>
        join
          .onRef('instances.id', '=', 'chat_messages.instance_id')
          .on('instances.heartbeat_at', '>', sql<Date>`now() - ${HEARTBEAT_TIMEOUT}::interval`),
      )
      .selectAll('chat_messages')
      .where('chat_messages.status', '=', 'streaming')
      .where((eb) => eb.or([eb('instances.id', 'is', null), eb('instances.id', '=', instanceId)]))
      .execute();
  }

  /** Ends a message of another process; returns undefined if it changed since it was read. */
  async end(
    transaction: Transaction<Database>,
    message: MessageRecord,
    status: MessageStatus,
    content: MessageContent,
  ): Promise<MessageRecord | undefined> {
    return transaction
      .updateTable('chat_messages')
      .set({
        status,
        content: JSON.stringify(content),
        last_seq: message.last_seq + 1,
        finished_at: sql<Date>`now()`,
      })
      .where('id', '=', message.id)
      .where('status', '=', 'streaming')
      .where('last_seq', '=', message.last_seq)
      .returningAll()
      .executeTakeFirst();
  }

  async removeOld(): Promise<void> {
    await this.#database
      .deleteFrom('chat_lines')
      .where('created_at', '<', sql<Date>`now() - ${LINE_RETENTION}::interval`)
      .execute();
  }
}
