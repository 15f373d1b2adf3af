/** A receiver of webhooks: an https server on a free port with a certificate authority of its own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generate } from 'selfsigned';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  /** `https://127.0.0.1:<port>` */
  url: string;
  /** File with the authority's certificate, for `QUIRE_EXTRA_CA_FILE`. */
  caFile: string;
  received: Received[];
  /** Returns the number of connections opened so far. */
  connections(): number;
  /** Resolves after `count` requests to a path (default: any). */
  wait(count: number, path?: string): Promise<Received[]>;
  close(): Promise<void>;
}

export type Respond = (request: Received, response: ServerResponse) => void;

/** Starts a receiver that answers 204 by default. */
export async function startReceiver(
  respond: Respond = (_, response) => void response.writeHead(204).end(),
): Promise<Receiver> {
  const subject = [{ name: 'commonName', value: 'Receivers of tests' }];
  const altNames = [
    { type: 7 as const, ip: '127.0.0.1' },
    { type: 2 as const, value: 'localhost' },
  ];
  const pems = await generate(subject, {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames },
    ],
  });
  const folder = mkdtempSync(path.join(tmpdir(), 'quire-receiver-'));
  const caFile = path.join(folder, 'ca.pem');
  writeFileSync(caFile, pems.cert);
  const received: Received[] = [];
  let listeners: (() => void)[] = [];
  let connections = 0;
  const server = createServer({ key: pems.private, cert: pems.cert }, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const entry = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts).toString() };
      received.push(entry);
      respond(entry, response);
      for (const listener of listeners) listener();
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = (wanted?: string): Received[] => received.filter((each) => wanted === undefined || each.path === wanted);
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    caFile,
    received,
    connections: () => connections,
    wait: (count, wanted) =>
      new Promise((resolve) => {
        const check = (): void => {
          const found = at(wanted);
          if (found.length < count) return;
          listeners = listeners.filter((listener) => listener !== check);
          resolve(found);
        };
        listeners.push(check);
        check();
      }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
