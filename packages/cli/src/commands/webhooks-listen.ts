/** `quire webhooks listen`: a local receiver that verifies deliveries and prints them. */
import { readFile } from 'node:fs/promises';
// oxlint-disable-next-line no-restricted-imports -- a server, which sends no request
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
// oxlint-disable-next-line no-restricted-imports -- a server, which sends no request
import { createServer as createTlsServer } from 'node:https';
import { once } from 'node:events';
import { createWebhookSecret, verifyWebhook } from '@quire/client';
import { outputOf, type GlobalOptions, type Io } from '../context.ts';
import { CommandError, EXIT } from '../exit-code.ts';
import type { Output } from '../output.ts';

export interface ListenOptions {
  port: number;
  host: string;
  secret?: string;
  /** Certificate and private key (PEM); without them, a proxy in front of the receiver ends TLS. */
  tlsCert?: string;
  tlsKey?: string;
}

/** Maximum size of a delivery, in bytes; the service sends at most 20 kB of data. */
const MAX_BODY_BYTES = 1_000_000;

export async function listen(io: Io, options: GlobalOptions & ListenOptions): Promise<void> {
  const output = outputOf(io, options);
  const secret = options.secret ?? createWebhookSecret();
  const server = await serverFor(options, (request, response) => {
    receive(request, secret, output).then(
      () => answer(response, 204),
      (error: unknown) => {
        output.note(`Refused a delivery: ${error instanceof Error ? error.message : String(error)}`);
        answer(response, 400);
      },
    );
  });
  server.listen(options.port, options.host);
  await once(server, 'listening').catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'EADDRINUSE' ? 'the port is in use' : message;
    const next = 'Choose another one with --port, or a free one with --port 0.';
    throw new CommandError(`cannot listen on ${options.host}:${options.port}: ${reason}`, { next });
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  const scheme = options.tlsCert === undefined ? 'http' : 'https';
  output.note(`Listening on ${scheme}://${options.host}:${port}`);
  if (options.secret === undefined) output.note(`Signing secret for the webhook: ${secret}`);
  if (!io.signal.aborted) await new Promise((resolve) => io.signal.addEventListener('abort', resolve, { once: true }));
  server.close();
  server.closeAllConnections();
}

async function serverFor({ tlsCert, tlsKey }: ListenOptions, listener: RequestListener): Promise<Server> {
  if (tlsCert === undefined && tlsKey === undefined) return createServer(listener);
  if (tlsCert === undefined || tlsKey === undefined)
    throw new CommandError('a certificate needs its key', {
      exitCode: EXIT.usage,
      next: 'Pass both --tls-cert FILE and --tls-key FILE.',
    });
  const [cert, key] = await Promise.all([readFile(tlsCert), readFile(tlsKey)]);
  try {
    return createTlsServer({ cert, key }, listener);
  } catch (error) {
    throw new CommandError(`${tlsCert} and ${tlsKey} are no certificate with its key: ${(error as Error).message}`, {
      exitCode: EXIT.usage,
    });
  }
}

const answer = (response: ServerResponse, status: number): void => {
  response.writeHead(status).end();
};

async function receive(request: IncomingMessage, secret: string, output: Output): Promise<void> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > MAX_BODY_BYTES) throw new CommandError('the body is too large');
    pieces.push(piece);
  }
  const event = await verifyWebhook(Buffer.concat(pieces), request.headers, secret);
  output.record(event, `${event.createdAt}  ${event.type}  ${JSON.stringify(event.data)}`);
}
