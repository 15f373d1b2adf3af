/** The server processes behind connections. A pooler such as PgBouncer sends clients the number of no process. */
import type { ClientBase } from 'pg';

const backends = new WeakMap<ClientBase, number>();

export const setBackend = (client: ClientBase, pid: number): unknown => backends.set(client, pid);

/** Returns the process that the server itself has named, or else the one of the connection's start. */
export const backendOf = (client: ClientBase): number => backends.get(client) ?? announcedBackend(client);

/** `processID` is public in `pg` and missing in its types. */
export const announcedBackend = (client: ClientBase): number =>
  (client as ClientBase & { processID?: number | null }).processID ?? 0;
