import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startReceiver } from './testing/receiver.ts';
import { AddressRules } from './address-rules.ts';
import { OutboundClient, type OutboundRequest, type Resolver } from './outbound-client.ts';

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Starts a server that must never be reached, and counts the connections to it. */
async function trap(): Promise<{ port: number; hits: () => number }> {
  let count = 0;
  const port = await serve((_request, response) => {
    count += 1;
    response.end('secret');
  });
  return { port, hits: () => count };
}

const nowhere: Resolver = () => Promise.reject(new Error('no DNS in this test'));
const at =
  (...addresses: string[]): Resolver =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

const client = (allowed: string[] = [], resolve: Resolver = nowhere) =>
  new OutboundClient(new AddressRules(allowed), { resolve });

const call = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  method: 'GET',
  url,
  signal: new AbortController().signal,
  timeoutMs: 60_000,
  maxBytes: 1000,
  ...more,
});

async function text(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts).toString();
}

const echo: RequestListener = (request: IncomingMessage, response) => {
  response.end(`${request.method} ${request.headers.host} ${request.headers.authorization ?? '-'}`);
};

test('loopback is refused in every notation and on any port', async () => {
  const { port, hits } = await trap();
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '0.0.0.0',
    '0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '①②⑦.⓪.⓪.①',
  ];
  for (const host of hosts) {
    await expect(client().request(call(`http://${host}:${port}/`)), host).rejects.toMatchObject({ kind: 'refused' });
  }
  expect(hits()).toBe(0);
});

test('text in the authority that looks like a host is not used as one, and credentials are refused', async () => {
  const { port, hits } = await trap();
  const urls = [
    `http://public.example@127.0.0.1:${port}/`,
    `http://public.example:80@127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}\\@public.example/`,
    `http://127.0.0.1:${port}#@public.example/`,
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'not a url',
  ];
  for (const url of urls) {
    await expect(client().request(call(url)), url).rejects.toMatchObject({ kind: 'refused' });
  }
  expect(hits()).toBe(0);
});

test('a name with any address that is not public is refused', async () => {
  const special = [
    '10.1.2.3',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.53',
    '168.63.129.16',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.0.1',
    '192.0.0.192',
    '198.19.0.1',
    '224.0.0.1',
    '255.255.255.255',
    'fd00:ec2::254',
    'fe80::1',
    'ff02::1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    '2001:db8::1',
    '::ffff:8.8.8.8',
    'not an address',
  ];
  for (const address of special) {
    const outbound = client([], at('93.184.215.14', address));
    await expect(outbound.request(call('http://api.example/')), address).rejects.toMatchObject({ kind: 'refused' });
  }
  expect(new AddressRules([]).allows('api.example', '93.184.215.14', 443)).toBe(true);
  expect(new AddressRules([]).allows('api.example', '2606:4700::1111', 443)).toBe(true);
});

test('an address allowed with a port is reached at that port only, by address, range, name and IPv6', async () => {
  const rules = new AddressRules(['127.0.0.1:11434', '10.0.0.0/8:8000', 'Models.lan:443', '[::1]:9000', '192.168.1.5']);
  const allowed = (host: string, address: string, ports: number[]): number[] =>
    ports.filter((port) => rules.allows(host, address, port));
  expect(allowed('127.0.0.1', '127.0.0.1', [80, 5432, 11434])).toEqual([11434]);
  expect(allowed('gpu', '10.1.2.3', [8000, 8001])).toEqual([8000]);
  expect(allowed('models.lan', '172.16.0.1', [80, 443])).toEqual([443]);
  expect(allowed('::1', '::1', [9000, 9001])).toEqual([9000]);
  expect(allowed('nas', '192.168.1.5', [22, 80])).toEqual([22, 80]);
  const port = await serve(echo);
  const request = (allow: string) => client([allow]).request(call(`http://127.0.0.1:${port}/`));
  expect((await request(`127.0.0.1:${port}`)).status).toBe(200);
  await expect(request(`127.0.0.1:${port + 1}`)).rejects.toMatchObject({ kind: 'refused' });
});

test('addresses that the operator allows are reached: by range, by address, by name', async () => {
  const port = await serve(echo);
  const local = `http://127.0.0.1:${port}/`;
  expect(await text((await client(['127.0.0.0/8']).request(call(local))).body)).toBe(`GET 127.0.0.1:${port} -`);
  expect((await client(['127.0.0.1']).request(call(local))).status).toBe(200);
  const named = await client(['Models.Internal'], at('127.0.0.1')).request(call(`http://models.internal:${port}/`));
  expect(await text(named.body)).toBe(`GET models.internal:${port} -`);
  const other = client(['models.internal'], at('127.0.0.1')).request(call(`http://other.internal:${port}/`));
  await expect(other).rejects.toMatchObject({ kind: 'refused' });
});

test('a name is resolved once: the connection goes to the address that was checked', async () => {
  const port = await serve(echo);
  let asked = 0;
  const changing: Resolver = async () => {
    asked += 1;
    return [{ address: asked === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
  };
  const outbound = client(['127.0.0.1'], changing);
  expect(await text((await outbound.request(call(`http://rebind.example:${port}/`))).body)).toContain('rebind.example');
  expect(asked).toBe(1);
  await expect(outbound.request(call(`http://rebind.example:${port}/`))).rejects.toMatchObject({ kind: 'refused' });
});

test('redirects are returned unless they are followed; each followed one passes the same checks', async () => {
  const target = await serve(echo);
  const port = await serve((request, response) => {
    const to = request.url === '/inside' ? 'http://169.254.169.254/latest/' : `http://127.0.0.1:${target}/`;
    response.writeHead(302, { location: to }).end();
  });
  const outbound = client(['127.0.0.1']);
  expect((await outbound.request(call(`http://127.0.0.1:${port}/inside`))).status).toBe(302);
  const inside = outbound.request(call(`http://127.0.0.1:${port}/inside`, { maxRedirects: 2 }));
  await expect(inside).rejects.toMatchObject({ kind: 'refused' });
  const headers = { authorization: 'Bearer key' };
  const followed = await outbound.request(call(`http://127.0.0.1:${port}/`, { maxRedirects: 1, headers }));
  expect(await text(followed.body)).toBe(`GET 127.0.0.1:${target} -`);
});

test('a response that is too large, breaks off or never comes ends in an error of its kind', async () => {
  const port = await serve((request, response) => {
    if (request.url === '/large') response.end('x'.repeat(2000));
    if (request.url === '/cut') {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    }
    if (request.url === '/stall') response.write('start');
  });
  const outbound = client(['127.0.0.1']);
  const run = async (path: string, more: Partial<OutboundRequest> = {}) =>
    text((await outbound.request(call(`http://127.0.0.1:${port}${path}`, more))).body);
  await expect(run('/large')).rejects.toMatchObject({ kind: 'too_large' });
  await expect(run('/cut')).rejects.toMatchObject({ kind: 'unreachable' });
  await expect(run('/hang', { timeoutMs: 50 })).rejects.toMatchObject({ kind: 'timeout' });
  await expect(run('/stall', { timeoutMs: 100 })).rejects.toMatchObject({ kind: 'timeout' });
  await expect(run('/hang', { signal: AbortSignal.abort() })).rejects.toMatchObject({ kind: 'cancelled' });
});

test('a connection that is not established in time ends the request before its other limits', async () => {
  const silent = createTcpServer();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const outbound = client(['127.0.0.0/8'], () => new Promise(() => undefined));
  for (const url of [`https://127.0.0.1:${port}/`, 'http://never.example.com/']) {
    const message = `${new URL(url).host} did not accept a connection in time`;
    await expect(outbound.request(call(url, { connectMs: 20 }))).rejects.toMatchObject({ kind: 'timeout', message });
  }
});

test('kept connections are reused, checked when they are opened, and replaced after the server closed them', async () => {
  let connections = 0;
  const server = createServer((request, response) => {
    response.end(request.url);
    if (request.url === '/last') response.once('finish', () => setImmediate(() => request.socket.destroy()));
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  let asked = 0;
  const outbound = client(['127.0.0.1'], async () => {
    asked += 1;
    return [{ address: '127.0.0.1', family: 4 }];
  });
  onTestFinished(() => {
    outbound.close();
    server.close();
  });
  const get = async (path: string) =>
    text((await outbound.request(call(`http://kept.example:${port}${path}`, { keepAlive: true }))).body);
  expect([await get('/1'), await get('/2'), connections, asked]).toEqual(['/1', '/2', 1, 1]);
  expect([await get('/last'), await get('/4'), await get('/5')]).toEqual(['/last', '/4', '/5']);
  expect(connections).toBeGreaterThan(1);
});

test('a certificate of a private authority is trusted only if the authority is configured', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  await expect(client(['127.0.0.1']).request(call(receiver.url))).rejects.toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT'),
  });
  const extraCa = await readFile(receiver.caFile, 'utf8');
  const outbound = new OutboundClient(new AddressRules(['127.0.0.1']), { extraCa });
  expect((await outbound.request(call(receiver.url))).status).toBe(204);
  for (const extraCa of ['not a certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----']) {
    expect(() => new OutboundClient(new AddressRules([]), { extraCa })).toThrow();
  }
});

test('a forbidden address is refused before the call; a name that does not resolve may be called later', async () => {
  expect(await client().refusal('https://127.0.0.1:8443/')).toContain('127.0.0.1:8443 is not at a public address');
  expect(await client([], at('10.0.0.1')).refusal('https://inside.example/')).toContain('inside.example');
  expect(await client().refusal('https://later.example/')).toBeUndefined();
  expect(await client([], at('93.184.215.14')).refusal('https://public.example/')).toBeUndefined();
});

test('a connection for another protocol goes to a checked address of its host only', async () => {
  const server = createTcpServer((socket) => socket.end('220 ready'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const to = (host: string, address?: string) => ({
    host,
    port,
    ...(address === undefined ? {} : { address }),
    signal: new AbortController().signal,
    timeoutMs: 60_000,
  });
  const outbound = client(['files.internal'], at('127.0.0.1'));
  const socket = await outbound.connect(to('files.internal'));
  expect(await text(socket as AsyncIterable<Buffer>)).toBe('220 ready');
  const again = await outbound.connect(to('files.internal', '127.0.0.1'));
  expect(await text(again as AsyncIterable<Buffer>)).toBe('220 ready');
  for (const refused of [to('other.internal'), to('127.0.0.1'), to('public.example', '127.0.0.1')]) {
    await expect(outbound.connect(refused)).rejects.toMatchObject({ kind: 'refused' });
  }
  const stopped = { ...to('files.internal'), signal: AbortSignal.abort() };
  await expect(outbound.connect(stopped)).rejects.toMatchObject({ kind: 'cancelled' });
  await expect(outbound.connect({ ...to('files.internal'), port: 1 })).rejects.toMatchObject({
    kind: 'unreachable',
    message: 'files.internal:1 cannot be reached (ECONNREFUSED)',
  });
});
