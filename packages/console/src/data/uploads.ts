/**
 * The upload queue. It lives beside the screens, so that navigation does not end it: four files are sent at a time, and
 * each then follows its record on the server. Content that the collection holds is not added again.
 */
import type { Document, LiveEvent, Quire } from '@quire/client';
import { useSyncExternalStore } from 'react';

export interface FileToSend {
  file: File;
  /** Path inside the folder that was dropped; empty for single files. */
  path: string;
}

export interface UploadEntry {
  id: number;
  name: string;
  sizeBytes: number;
  sentBytes: number;
  collectionId: string;
  workspaceId: string;
  state: 'waiting' | 'sending' | 'accepted' | 'duplicate' | 'refused';
  /** The record on the server, once the file was accepted. */
  document: Document | undefined;
  error: unknown;
}

interface Job extends UploadEntry {
  source: FileToSend;
  quire: Quire;
  abort: AbortController;
}

const PARALLEL = 4;
let jobs: readonly Job[] = [];
let sending = 0;
let next = 1;
/** Last states of documents whose upload was not answered yet: their events may come before the answer. */
const early = new Map<string, LiveEvent>();
const listeners = new Set<() => void>();
const notify = (): void => {
  for (const listener of listeners) listener();
};

function update(id: number, change: Partial<UploadEntry>): void {
  jobs = jobs.map((job) => (job.id === id ? { ...job, ...change } : job));
  notify();
}

export function addUploads(
  quire: Quire,
  workspaceId: string,
  collectionId: string,
  files: readonly FileToSend[],
): void {
  const added = files.map((source): Job => ({
    id: (next += 1),
    name: source.file.name,
    sizeBytes: source.file.size,
    sentBytes: 0,
    collectionId,
    workspaceId,
    state: 'waiting',
    document: undefined,
    error: undefined,
    source,
    quire,
    abort: new AbortController(),
  }));
  jobs = [...jobs, ...added];
  notify();
  fill();
}

/** Sends refused files again. */
export function retryUploads(): void {
  jobs = jobs.map((job) =>
    job.state === 'refused'
      ? { ...job, state: 'waiting' as const, sentBytes: 0, error: undefined, abort: new AbortController() }
      : job,
  );
  notify();
  fill();
}

/** Empties the queue. Files that are being sent are aborted; accepted documents stay. */
export function clearUploads(): void {
  const before = jobs;
  jobs = [];
  notify();
  for (const { abort } of before) abort.abort(new DOMException('The upload was cancelled', 'AbortError'));
}

function fill(): void {
  while (sending < PARALLEL) {
    const job = jobs.find(({ state }) => state === 'waiting');
    if (job === undefined) break;
    sending += 1;
    update(job.id, { state: 'sending' });
    void send(job).finally(() => {
      sending -= 1;
      if (sending === 0) early.clear();
      fill();
    });
  }
  if (sending > 0) window.addEventListener('beforeunload', warn);
  else window.removeEventListener('beforeunload', warn);
}

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

async function send({ id, source, quire, collectionId, abort }: Job): Promise<void> {
  const { file, path } = source;
  const input = path === '' ? file : { file, metadata: { path } };
  const options = {
    signal: abort.signal,
    onProgress: ({ sentBytes }: { sentBytes: number }) => update(id, { sentBytes: Math.min(sentBytes, file.size) }),
  };
  try {
    for await (const outcome of quire.collection(collectionId).documents.uploadMany([input], options)) {
      if (outcome.status === 'failed') update(id, { state: 'refused', error: outcome.error });
      else {
        update(id, {
          state: outcome.status === 'duplicate' ? 'duplicate' : 'accepted',
          document: outcome.document,
          sentBytes: file.size,
        });
        const event = early.get(outcome.document.id);
        if (event !== undefined) followUploads(event);
      }
    }
  } catch (error) {
    if (!abort.signal.aborted) update(id, { state: 'refused', error });
  }
}

/** Takes the state of accepted documents from the live events. */
export function followUploads(event: LiveEvent): void {
  const { type, data } = event;
  if (type !== 'document' || data.id === undefined || data.state === null || data.state === undefined) return;
  const job = jobs.find(({ document }) => document?.id === data.id);
  if (job?.document === undefined) {
    if (sending > 0) early.set(data.id, event);
    return;
  }
  const { errorType, ...state } = data.state as { errorType?: string | null };
  const error = typeof errorType === 'string' ? { type: errorType, message: '' } : null;
  update(job.id, { document: { ...job.document, ...state, error } });
}

/** Reads the records of unfinished documents, after events were missed. */
export async function refreshUploads(): Promise<void> {
  for (const { id, quire, collectionId, document } of jobs) {
    if (document?.status !== 'indexing') continue;
    // A document that is gone keeps its last state here; its list shows the truth.
    const found = await quire
      .collection(collectionId)
      .documents.get(document.id)
      .catch(() => undefined);
    if (found !== undefined) update(id, { document: found });
  }
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useUploads = (): readonly UploadEntry[] => useSyncExternalStore(subscribe, () => jobs);
