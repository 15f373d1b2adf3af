/** Clients that request the largest answers and read some bytes a second, or nothing. */
import { openConnection, pause } from './connection.ts';
import { prepareDocuments } from './large-lists.ts';
import { sum, type SiegeCounts, type SiegeLoad, type SiegeTarget } from './load.ts';

const READERS = 10;
const HOLD_MS = 45_000;
const TRICKLE_MS = 1_000;

export const slowReaders: SiegeLoad = {
  name: 'slow readers',
  run: async (target) => {
    const { workspace } = await prepareDocuments(target);
    const head = `GET ${workspace.collection}/docs?limit=100 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${workspace.key}\r\n\r\n`;
    return sum(await Promise.all(Array.from({ length: READERS }, (_, index) => read(target, head, index % 2 === 0))));
  },
};

/** Reads nothing, or a little once a second. */
async function read({ url, signal }: SiegeTarget, head: string, trickles: boolean): Promise<SiegeCounts> {
  const connection = await openConnection(url, signal);
  if (connection === undefined) return { refused: 1 };
  const { socket, closed } = connection;
  // Eight requests on each connection: as many answers as the service keeps for one.
  socket.write(head.repeat(8));
  socket.on('readable', () => undefined);
  for (const until = Date.now() + HOLD_MS; Date.now() < until && !socket.destroyed && !signal.aborted;) {
    if (trickles) socket.read(64);
    await Promise.race([closed, pause(TRICKLE_MS, signal)]);
  }
  const outcome = socket.destroyed ? { closedByService: 1 } : { held: 1 };
  socket.destroy();
  return outcome;
}
