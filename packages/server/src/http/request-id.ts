import { newId } from '../shared/uuid.ts';

const VALID_ID = /^[\x21-\x7e]{1,128}$/;

/** Returns the client's request id if it has 1 to 128 visible characters, else a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && VALID_ID.test(header) ? header : newId();
}
