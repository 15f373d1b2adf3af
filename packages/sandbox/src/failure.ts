/** Classifies an error of a handler: caused by the file, by the machine, or by a bug of the reader. */
import { ContentError } from '@quire/blocks/content-error';
import type { TaskFailure } from './protocol.ts';

/** Errors after which a retry may succeed: a full disk, no descriptors, a missing file. */
const SYSTEM_CODES = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'ENOMEM', 'EIO', 'EROFS', 'ENOENT', 'EACCES']);

/** Messages of V8 and the WASM engines for a size beyond their limits; the process itself stays usable. */
const TOO_LARGE =
  /invalid (string|array|array buffer|typed array) length|allocation failed|cannot create a string longer|could not allocate|out of memory/i;

export function describeFailure(error: unknown): TaskFailure {
  if (error instanceof ContentError) return { kind: 'content', type: error.type, message: error.message };
  if (!(error instanceof Error)) return { kind: 'unexpected', message: String(error), stack: '' };
  const code = (error as NodeJS.ErrnoException).code;
  if (code !== undefined && SYSTEM_CODES.has(code)) return { kind: 'system', message: error.message, code };
  if (TOO_LARGE.test(error.message)) {
    return { kind: 'content', type: 'too_large', message: 'The file needs more memory than a reader may use' };
  }
  return { kind: 'unexpected', message: `${error.name}: ${error.message}`, stack: error.stack ?? '' };
}

/** Converts a failure to the error that the pool's caller gets. */
export function toError(failure: TaskFailure): Error {
  if (failure.kind === 'content') return new ContentError(failure.type, failure.message);
  if (failure.kind === 'system') return Object.assign(new Error(failure.message), { code: failure.code });
  const cause = new Error(failure.message);
  if (failure.stack !== '') cause.stack = failure.stack;
  return new ContentError('parser_crashed', 'The reader failed on this file', { cause });
}
