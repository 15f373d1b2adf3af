/** Connections that pipeline a thousand requests for compressed static texts and read nothing. */
import { Random } from '../chaos/random.ts';
import { openConnection, pause } from './connection.ts';
import { sum, type SiegeCounts, type SiegeLoad, type SiegeTarget } from './load.ts';

const CONNECTIONS = 4;
const REQUESTS = 1_000;
const ROUNDS = 10;
const HOLD_MS = 3_000;
const PATHS = ['/openapi.json', '/docs/json', '/docs/static/swagger-ui-bundle.js', '/guide', '/', '/v1/nothing'];

export const pipelining: SiegeLoad = {
  name: 'pipelining',
  run: async (target) => {
    const random = new Random(target.seed);
    const paths = Array.from({ length: CONNECTIONS }, () => random.pick(PATHS));
    return sum(await Promise.all(paths.map((path) => attack(target, path))));
  },
};

async function attack({ url, signal }: SiegeTarget, path: string): Promise<SiegeCounts> {
  const counts = { connections: 0, requests: 0 };
  const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: br\r\n\r\n`;
  for (let round = 0; round < ROUNDS && !signal.aborted; round += 1) {
    const connection = await openConnection(url, signal);
    if (connection === undefined) continue;
    connection.socket.write(request.repeat(REQUESTS));
    counts.connections += 1;
    counts.requests += REQUESTS;
    await Promise.race([connection.closed, pause(HOLD_MS, signal)]);
    connection.socket.destroy();
  }
  return counts;
}
