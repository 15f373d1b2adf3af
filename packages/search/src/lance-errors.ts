/** Classifies LanceDB's errors by their messages, since it has no error codes (0.37.1). */
import { setTimeout as sleep } from 'node:timers/promises';

/** The second form is thrown by a handle whose table another process has dropped. */
const MISSING = /Table '[^']*' was not found|Not found: [^\s,]*\/_versions/u;
const DAMAGED =
  /not found|invalid range|range was invalid|fill whole buffer|corrupt|magic number|unexpected end|out of bounds|decod/iu;
const EXISTING = /already exists/iu;
const CONFLICT = /commit conflict|concurrent(?:ly)? (?:writer|commit|transaction)|Retryable|already exists/iu;
/** A status code counts only behind the word: sizes and offsets in other messages may be 500 too. */
const TRANSIENT =
  /timed? ?out|connect|dns error|too many open files|permission denied|status\D{0,30}(?:429|500|502|503)\b|SlowDown|no space left/iu;

export function isMissingTable(error: unknown): boolean {
  return MISSING.test(messageOf(error));
}

/** Returns true if a table could not be created because it exists. */
export function isExisting(error: unknown): boolean {
  return EXISTING.test(messageOf(error));
}

/** Returns true if a file of the table is missing or truncated, which an open table reports only when it is read. */
export function isDamage(error: unknown): boolean {
  return DAMAGED.test(messageOf(error)) && !isMissingTable(error) && !isTransient(error);
}

/** Returns true if a concurrent commit won; the same call may succeed now. */
export function isConflict(error: unknown): boolean {
  return CONFLICT.test(messageOf(error));
}

/** Returns true if the storage is unreachable for now, which says nothing about the table. */
export function isTransient(error: unknown): boolean {
  return TRANSIENT.test(messageOf(error));
}

const ATTEMPTS = 8;
const FIRST_PAUSE_MS = 10;

/** Retries a commit that conflicts with another writer: up to 8 attempts within about 2 s, with jitter. */
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
