/** Clients that request the largest answers and read some bytes a second, or nothing. */
import type { Attack, Target } from '../attack.ts';
import { openConnection, pause } from '../connection.ts';

const READERS = 10;
const HOLD_MS = 45_000;
const TRICKLE_MS = 1_000;

async function run(target: Target): Promise<void> {
  const path = `/v1/w/${target.workspace}/col/${target.collection}/docs?limit=100`;
  const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${target.keys.read}\r\n\r\n`;
  await Promise.all(Array.from({ length: READERS }, (_, index) => read(target, head, index % 2 === 0)));
}

/** Reads nothing, or a little once a second. */
async function read({ url, signal }: Target, head: string, trickles: boolean): Promise<void> {
  const connection = await openConnection(url, signal);
  if (connection === undefined) return;
  const { socket, closed } = connection;
  // Eight requests on each connection: as many answers as the service keeps for one.
  socket.write(head.repeat(8));
  socket.on('readable', () => undefined);
  for (const until = Date.now() + HOLD_MS; Date.now() < until && !socket.destroyed && !signal.aborted;) {
    if (trickles) socket.read(64);
    await Promise.race([closed, pause(TRICKLE_MS, signal)]);
  }
  socket.destroy();
}

export const attack: Attack = { name: 'slow readers', fault: 'F7', run };
