/** What LanceDB's errors mean; it has no codes, only messages (0.37.1). */
import { setTimeout as sleep } from 'node:timers/promises';

/** The second form comes from a handle whose table another process dropped. */
const MISSING = /Table '[^']*' was not found|Not found: [^\s,]*\/_versions/u;
const DAMAGED = /not found|invalid range|range was invalid|corrupt|magic number|unexpected end|out of bounds|decod/iu;
const EXISTING = /already exists/iu;
const CONFLICT = /commit conflict|concurrent(?:ly)? (?:writer|commit|transaction)|Retryable|already exists/iu;
const TRANSIENT =
  /timed? ?out|connect|dns error|too many open files|permission denied|\b(?:429|500|502|503)\b|SlowDown|no space left/iu;

export function isMissingTable(error: unknown): boolean {
  return MISSING.test(messageOf(error));
}

/** Of a table that was to be made. */
export function isExisting(error: unknown): boolean {
  return EXISTING.test(messageOf(error));
}

/** A file of the table is gone or cut: an open table shows it only when read. */
export function isDamage(error: unknown): boolean {
  return DAMAGED.test(messageOf(error)) && !isMissingTable(error) && !isTransient(error);
}

/** Another writer was faster; the same call may succeed now. */
export function isConflict(error: unknown): boolean {
  return CONFLICT.test(messageOf(error));
}

/** Storage is out of reach for now, which says nothing about the table. */
export function isTransient(error: unknown): boolean {
  return TRANSIENT.test(messageOf(error));
}

const ATTEMPTS = 8;
const FIRST_PAUSE_MS = 10;

/** Repeats a commit that lost against another writer: up to 8 times within about 2 s, with jitter. */
export async function retryConflicts<Result>(commit: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await commit();
    } catch (error) {
      if (attempt === ATTEMPTS || !isConflict(error)) throw error;
      await sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random()));
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
