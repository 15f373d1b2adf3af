import { newId } from '../shared/uuid.ts';

const ACCEPTABLE = /^[\x21-\x7e]{1,128}$/;

/** Returns the client's request id if it has 1 to 128 visible characters, else a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && ACCEPTABLE.test(header) ? header : newId();
}
