/** Requests that announce 9 MB, send most of it, and then nothing. */
import { prepareWorkspace } from './api.ts';
import { openConnection, pause } from './connection.ts';
import type { SiegeLoad } from './load.ts';

const CONNECTIONS = 150;
const BODY_BYTES = 9 * 1024 * 1024;
const PIECE = Buffer.alloc(256 * 1024, 'x');
const HOLD_MS = 45_000;

export const heldBodies: SiegeLoad = {
  name: 'held bodies',
  run: async (target) => {
    const { collection, key } = await prepareWorkspace(target, 'held bodies');
    const head = `POST ${collection}/docs/raw HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${BODY_BYTES}\r\n\r\n`;
    const connections = [];
    for (let count = 0; count < CONNECTIONS && !target.signal.aborted; count += 1) {
      const connection = await openConnection(target.url, target.signal);
      if (connection === undefined) continue;
      connections.push(connection);
      connection.socket.write(`${head}{"content":"`);
      for (let sent = 0; sent + 2 * PIECE.length < BODY_BYTES; sent += PIECE.length) connection.socket.write(PIECE);
    }
    const ended = Promise.all(connections.map(({ closed }) => closed));
    await Promise.race([ended, pause(HOLD_MS, target.signal)]);
    const bytes = connections.reduce((total, { socket }) => total + socket.bytesWritten - socket.writableLength, 0);
    for (const { socket } of connections) socket.destroy();
    return { connections: connections.length, megabytesTaken: Math.round(bytes / 1e6) };
  },
};
