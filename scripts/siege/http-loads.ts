/** The attacks on the HTTP server. */
import { heldBodies } from './held-bodies.ts';
import { largeLists } from './large-lists.ts';
import type { SiegeLoad } from './load.ts';
import { pipelining } from './pipelining.ts';
import { slowReaders } from './slow-readers.ts';
import { unauthorized } from './unauthorized.ts';

export const httpLoads: readonly SiegeLoad[] = [pipelining, unauthorized, heldBodies, largeLists, slowReaders];
