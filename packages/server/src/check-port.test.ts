import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { checkPort } from './check-port.ts';

test('a port in use is reported with its setting, and port 0 is always accepted', async () => {
  const server = createServer().listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await expect(checkPort({ host: '127.0.0.1', port })).rejects.toThrow(
    `Settings:\n  QUIRE_PORT: ${port} of 127.0.0.1 is in use; stop what listens there, or set another port`,
  );
  server.close();
  await once(server, 'close');
  await expect(checkPort({ host: '127.0.0.1', port: 0 })).resolves.toBeUndefined();
});
