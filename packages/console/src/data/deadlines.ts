/** Deadlines of the documents that are being processed now, from the live events; records do not hold them. */
import type { LiveEvent } from '@quire/client';
import { useSyncExternalStore } from 'react';

const deadlines = new Map<string, string>();
const listeners = new Set<() => void>();

/** Notes the deadline of a live event of a document, and forgets it when the document waits or has ended. */
export function noteDeadline({ type, data }: LiveEvent): void {
  if (type !== 'document' || data.id === undefined) return;
  const deadline = data.state?.['deadlineAt'];
  if (typeof deadline === 'string') deadlines.set(data.id, deadline);
  else if (!deadlines.delete(data.id)) return;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Returns the time at which the document fails if it is still being processed; undefined if none is known. */
export const useDeadline = (documentId: string): string | undefined =>
  useSyncExternalStore(subscribe, () => deadlines.get(documentId));
