/** Hashes a request for idempotency: canonical blocks, and names and contents of the files in any order. */
import { createHash } from 'node:crypto';
import type { NewRun } from './types.ts';

export const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest();

export function hashRequest({ blocks, uploads, staged }: Omit<NewRun, 'idempotencyKey'>): Buffer {
  const files = uploads.map(({ name, sha256 }) => [name, sha256]).toSorted();
  return createHash('sha256')
    .update(JSON.stringify(canonical({ blocks, files, staged })))
    .digest();
}

/** Sorts the fields of every object and drops undefined ones. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, member]) => member !== undefined);
  const sorted = fields.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, member]) => [name, canonical(member)]));
}
