import { once } from 'node:events';
import { createServer } from 'node:net';
import { ConfigurationError } from './config/env.ts';

const FAULTS: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) => `QUIRE_PORT: ${port} of ${host} is in use; stop what listens there, or set another port`,
  EADDRNOTAVAIL: (host) => `QUIRE_HOST: ${host} is not an address of this machine`,
  ENOTFOUND: (host) => `QUIRE_HOST: the name ${host} has no address`,
  EACCES: (_, port) => `QUIRE_PORT: this account may not listen on port ${port}; set one above 1023`,
};

/** Rejects with a `ConfigurationError` if the address cannot be listened on. Port 0 is always free. */
export async function checkPort({ host, port }: { host: string; port: number }): Promise<void> {
  if (port === 0) return;
  const server = createServer((socket) => socket.destroy()).listen({ host, port });
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const fault = FAULTS[code ?? '']?.(host, port) ?? `QUIRE_HOST, QUIRE_PORT: ${message}`;
    throw new ConfigurationError(`Settings:\n  ${fault}`, { cause: error });
  }
  server.close();
  await once(server, 'close');
}
