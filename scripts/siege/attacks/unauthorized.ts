/** Floods of requests without a valid key: unknown keys, no key, unknown addresses, the open routes. */
import { randomBytes } from 'node:crypto';
import type { Attack, Target } from '../attack.ts';
import { openConnection, pause } from '../connection.ts';

const CONNECTIONS = 40;
/** Requests that a connection sends before it reads the answers. */
const PIPELINED = 16;
const ROUNDS = 200;
const ROUND_LIMIT_MS = 5_000;

async function run(target: Target): Promise<void> {
  await Promise.all(Array.from({ length: CONNECTIONS }, () => flood(target)));
}

async function flood(target: Target): Promise<void> {
  for (let round = 0; round < ROUNDS && !target.signal.aborted; round += 1) await sendRound(target);
}

/** Sends the requests of a round on a connection of its own, and waits for their answers. */
async function sendRound({ url, signal }: Target): Promise<void> {
  const connection = await openConnection(url, signal);
  if (connection === undefined) return;
  const { socket, closed } = connection;
  let answers = 0;
  const answered = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      answers += chunk.toString('latin1').split('HTTP/1.1 ').length - 1;
      if (answers >= PIPELINED) resolve();
    });
  });
  socket.write(Array.from({ length: PIPELINED }, (_, index) => request(index)).join(''));
  await Promise.race([answered, closed, pause(ROUND_LIMIT_MS, signal)]);
  socket.destroy();
}

const WORKSPACE = '/v1/w/0192f0c4-0000-7000-8000-00000000ffff';

function request(index: number): string {
  const key = `quire_${randomBytes(32).toString('base64url')}`;
  const lines = [
    `GET ${WORKSPACE}/col HTTP/1.1\r\nAuthorization: Bearer ${key}`,
    `POST ${WORKSPACE}/search HTTP/1.1\r\nContent-Length: 0`,
    `GET /nothing/${index} HTTP/1.1`,
    'GET /healthz HTTP/1.1',
    `GET /v1/%zz HTTP/1.1\r\nAuthorization: Bearer ${key}`,
  ];
  return `${lines[index % lines.length]}\r\nHost: x\r\n\r\n`;
}

export const attack: Attack = { name: 'requests without a key', fault: 'F2', run };
