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

test('an address of another machine is reported as the fault of the host', async () => {
  // An address of the documentation (RFC 5737), which no machine has.
  await expect(checkPort({ host: '192.0.2.1', port: 8080 })).rejects.toThrow(
    'Settings:\n  QUIRE_HOST: 192.0.2.1 is not an address of this machine',
  );
});
