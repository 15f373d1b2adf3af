/** The stored side of streams: lines and the messages they lead to. Every write asks that the message still streams. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Line, Operation } from '@quire/diffcp';
import type { Database, MessageContent, MessageRecord, MessageStatus } from '../../database/tables.ts';
import type { Executor } from '../../database/transaction.ts';
import type { Message } from './conversation.ts';

export const messageTopic = (messageId: string): string => `message:${messageId}`;
export const stopTopic = (messageId: string): string => `message-stop:${messageId}`;

/** An instance without a heartbeat for so long is dead (see `queue/sweeper.ts`). */
const SILENCE = '30 seconds';
/** Lines are for readers who come back; afterwards the message itself tells it all. */
const LINES_KEPT = '1 day';

export class LineStore {
  readonly #database: Kysely<Database>;

  constructor(database: Kysely<Database>) {
    this.#database = database;
  }

  /** False when another process has ended the message meanwhile. */
  async store(executor: Executor, lines: readonly Line[], message: Message): Promise<boolean> {
    const { parts, citations, usage, error } = message;
    const content: MessageContent = { parts, citations, usage, error };
    const updated = await executor
      .updateTable('chat_messages')
      .set({
        content: JSON.stringify(content),
        status: message.status,
        ...(lines.length === 0 ? {} : { last_seq: lines.at(-1)?.seq ?? 0 }),
        ...(message.status === 'streaming' ? {} : { finished_at: sql<Date>`now()` }),
      })
      .where('id', '=', message.id)
      .where('status', '=', 'streaming')
      .returning('id')
      .executeTakeFirst();
    if (updated === undefined) return false;
    await this.insert(executor, message.id, lines);
    return true;
  }

  async insert(executor: Executor, messageId: string, lines: readonly Line[]): Promise<void> {
    if (lines.length === 0) return;
    await executor
      .insertInto('chat_lines')
      .values(lines.map(({ seq, ops }) => ({ message_id: messageId, seq, ops: JSON.stringify(ops) })))
      .execute();
  }

  /** Up to `limit` lines after one. */
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

  async message(messageId: string): Promise<MessageRecord | undefined> {
    return this.#database.selectFrom('chat_messages').selectAll().where('id', '=', messageId).executeTakeFirst();
  }

  streaming(): Promise<MessageRecord[]> {
    return this.#database.selectFrom('chat_messages').selectAll().where('status', '=', 'streaming').execute();
  }

  /** Messages that stream although the process that answers is gone; those of this process too, which it knows better. */
  suspects(instanceId: string | null): Promise<MessageRecord[]> {
    return this.#database
      .selectFrom('chat_messages')
      .leftJoin('instances', (join) =>
        join
          .onRef('instances.id', '=', 'chat_messages.instance_id')
          .on('instances.heartbeat_at', '>', sql<Date>`now() - ${SILENCE}::interval`),
      )
      .selectAll('chat_messages')
      .where('chat_messages.status', '=', 'streaming')
      .where((eb) => eb.or([eb('instances.id', 'is', null), eb('instances.id', '=', instanceId)]))
      .execute();
  }

  /** Ends a message for another process; nothing when it has gone on, or ended, since it was read. */
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
      .where('created_at', '<', sql<Date>`now() - ${LINES_KEPT}::interval`)
      .execute();
  }
}
