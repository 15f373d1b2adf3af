import { once } from 'node:events';
import { createServer } from 'node:net';
import { ConfigurationError } from './config/env.ts';

/** Rejects with a `ConfigurationError` if the address cannot be listened on. Port 0 is always free. */
export async function checkPort({ host, port }: { host: string; port: number }): Promise<void> {
  if (port === 0) return;
  const server = createServer((socket) => socket.destroy()).listen({ host, port });
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const fault =
      code === 'EADDRINUSE'
        ? `QUIRE_PORT: ${port} of ${host} is in use; stop what listens there, or set another port`
        : `QUIRE_HOST, QUIRE_PORT: ${message}`;
    throw new ConfigurationError(`Settings:\n  ${fault}`, { cause: error });
  }
  server.close();
  await once(server, 'close');
}
