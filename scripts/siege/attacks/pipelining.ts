/** Connections that pipeline a thousand requests for compressed static texts and read nothing. */
import { Random } from '../../chaos/random.ts';
import type { Attack, Target } from '../attack.ts';
import { openConnection, pause } from '../connection.ts';

const CONNECTIONS = 4;
const REQUESTS = 1_000;
const ROUNDS = 10;
const HOLD_MS = 3_000;
const PATHS = ['/openapi.json', '/docs/json', '/docs/static/swagger-ui-bundle.js', '/guide', '/', '/v1/nothing'];

async function run(target: Target): Promise<void> {
  const random = new Random(target.seed);
  const paths = Array.from({ length: CONNECTIONS }, () => random.pick(PATHS));
  await Promise.all(paths.map((path) => pipeline(target, path)));
}

async function pipeline({ url, signal }: Target, path: string): Promise<void> {
  const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: br\r\n\r\n`;
  for (let round = 0; round < ROUNDS && !signal.aborted; round += 1) {
    const connection = await openConnection(url, signal);
    if (connection === undefined) continue;
    connection.socket.write(request.repeat(REQUESTS));
    await Promise.race([connection.closed, pause(HOLD_MS, signal)]);
    connection.socket.destroy();
  }
}

export const attack: Attack = { name: 'pipelining', fault: 'F2', run };
