/** Sends changed files in parallel and waits until each is searchable. Outlasts a restart of the service. */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionError, FailedError, QuireError, ServerError, type Document } from '@quire/client';
import type { Context } from '../../context.ts';
import { isUnreadable } from '../../exit-code.ts';
import { reasonOf } from '../../explain-error.ts';
import { PATH_KEY, type Change } from './plan.ts';

export interface TransferOptions {
  collectionId: string;
  metadata: Record<string, unknown>;
  /** Number of files sent at once. */
  parallel: number;
  /** Whether to wait until each document is searchable. */
  wait: boolean;
}

export type Outcome = { change: Change } & (
  | { status: 'sent' | 'ready' | 'moved' | 'unchanged'; documentId: string }
  | { status: 'failed'; documentId: string | undefined; type: string; reason: string }
);

/** Time for which a service that does not answer is waited for, in milliseconds. */
const OUTAGE_MS = 120_000;
const OUTAGE_PAUSE_MS = 1_000;

export async function transfer(context: Context, change: Change, options: TransferOptions): Promise<Outcome> {
  if (change.kind === 'unchanged') return { change, status: 'unchanged', documentId: change.documentId };
  let documentId: string | undefined;
  try {
    const document = await outlasting(context, () => send(context, change, options));
    if (change.kind === 'move') return { change, status: 'moved', documentId: document.id };
    documentId = document.id;
    if (!options.wait) return { change, status: 'sent', documentId };
    const { documents } = context.quire.collection(options.collectionId);
    const { id } = document;
    await outlasting(context, () => documents.ready(id, { signal: context.signal, timeoutMs: 0 }));
    return { change, status: 'ready', documentId };
  } catch (error) {
    context.signal.throwIfAborted();
    if (isUnreadable(error)) return { change, status: 'failed', documentId, ...unreadable(error) };
    if (!(error instanceof QuireError) || error.status === 401 || error.status === 403) throw error;
    const reason = error instanceof FailedError ? reasonOfFailure(error) : reasonOf(error);
    return { change, status: 'failed', documentId, type: error.type, reason };
  }
}

/** Returns the reason of the record, which does not repeat its name. */
const reasonOfFailure = ({ record, message }: FailedError<Document>): string => record.error?.message ?? message;

export const unreadable = ({ message }: Error): { type: string; reason: string } => ({
  type: 'unreadable',
  reason: message,
});

function send({ quire, signal }: Context, change: Change, options: TransferOptions): PromiseLike<Document> {
  const { documents } = quire.collection(options.collectionId);
  const { file, relative } = change.file;
  const metadata = { ...options.metadata, [PATH_KEY]: relative };
  switch (change.kind) {
    case 'replace':
      return documents.replace(change.documentId, file, { metadata, signal });
    case 'move':
      return documents.update(change.documentId, { name: path.basename(relative), metadata }, { signal });
    case 'add':
    case 'unchanged':
      return documents.upload(file, { metadata, duplicates: 'skip', signal });
  }
}

/** Repeats the call while the service does not answer, as during a restart. Repeating an upload adds nothing twice. */
async function outlasting<T>({ signal, output }: Context, call: () => PromiseLike<T>): Promise<T> {
  const until = Date.now() + OUTAGE_MS;
  for (let noted = false; ; noted = true) {
    try {
      return await call();
    } catch (error) {
      signal.throwIfAborted();
      const isOutage = error instanceof ConnectionError || error instanceof ServerError;
      if (!isOutage || Date.now() > until) throw error;
      if (!noted) output.progress('The service does not answer; waiting for it…');
      await sleep(OUTAGE_PAUSE_MS, undefined, { signal });
    }
  }
}
