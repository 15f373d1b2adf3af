import type { ChangeFeed } from '../../../domain/changes/change-feed.ts';
import { readPosition, type Position } from '../../../domain/changes/position.ts';
import { visibleChanges, type ScopeCheck } from '../../../domain/changes/visible-changes.ts';
import type { Principal } from '../../../domain/keys/types.ts';
import { route, type Route } from '../../route.ts';
import { EVENT_STREAM, firstText, sendEvents, writePage } from './event-stream.ts';

/** Time without changes after which a heartbeat is sent, in ms: less than proxies wait. */
const HEARTBEAT_MS = 15_000;

export interface EventRoutesDeps {
  changes: ChangeFeed;
  isInScope: ScopeCheck;
  authenticate: (key: string) => Promise<Principal | undefined>;
}

export function eventRoutes({ changes, authenticate, isInScope }: EventRoutesDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/w/{ws}/events',
      operationId: 'followEvents',
      summary: 'Follow the states of documents, runs, collections and connectors as server-sent events',
      description:
        'Events `document`, `run`, `collection`, `connector` and `sync` have `{ id, state }`, documents also ' +
        '`collectionId`; `state` is null for what was erased. Several changes of one resource are combined. With the ' +
        'header `Last-Event-ID` the stream goes on after that event, up to two hours later; then the event `reset` ' +
        'says to read the lists again.',
      tag: 'Events',
      permission: 'read',
      limitedKeys: true,
      scoped: true,
      response: EVENT_STREAM,
      handler: async ({ params, principal, request, reply, signal }) => {
        const key = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
        const start = await startOf(request.headers['last-event-id'], changes);
        const isValid = async (): Promise<boolean> => (await authenticate(key)) !== undefined;
        return sendEvents(
          reply,
          follow({ workspaceId: params.ws, principal, start, isValid, isInScope, changes, signal }),
        );
      },
    }),
  ];
}

/** Returns where the stream begins: undefined for now, null if the client has missed changes. */
async function startOf(header: unknown, changes: ChangeFeed): Promise<Position | null | undefined> {
  if (typeof header !== 'string' || header === '') return undefined;
  const position = readPosition(header);
  return position !== undefined && (await changes.isReadable(position)) ? position : null;
}

interface Following {
  workspaceId: string;
  principal: Principal;
  start: Position | null | undefined;
  isValid: () => Promise<boolean>;
  isInScope: ScopeCheck;
  changes: ChangeFeed;
  signal: AbortSignal;
}

async function* follow(following: Following): AsyncGenerator<string> {
  const { workspaceId, principal, start, isValid, isInScope, changes, signal } = following;
  // Sent with the first page, so that a client that has the headers misses nothing from then on.
  let before = firstText(start === null);
  for await (const page of changes.follow(workspaceId, start ?? undefined, HEARTBEAT_MS, signal)) {
    // A key that was revoked meanwhile receives nothing more.
    if (!(await isValid())) return;
    const visible = await visibleChanges(workspaceId, page.changes, principal, isInScope);
    yield before + writePage({ ...page, changes: visible });
    before = '';
  }
}
