/** Forged and odd tokens, and single inputs that were once answered with 500. Without a valid key, all are refused. */
import { createHash, createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { Random } from '../../chaos/random.ts';
import { repeat, type Attack, type Target } from '../attack.ts';

const PARALLEL = 4;
const encode = (part: string): string => Buffer.from(part).toString('base64url');
const hour = (): number => Math.floor(Date.now() / 1000) + 3_600;

function sign(key: string, header: string, claims: string): string {
  const secret = createHash('sha256').update(`quire-token:${key}`).digest();
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

/** JSON texts that take the place of a claim. */
const VALUES = [
  'null',
  '1e400',
  '-1',
  '"\\u0000"',
  '"\\ud800"',
  '[]',
  '{}',
  '[null]',
  '{"not":{}}',
  '"admin"',
  '1e308',
];
const CHARACTERS = ['a', 'A', '.', '_', '-', '=', '+', '/'];
const CLAIMS = ['exp', 'nbf', 'iat', 'sub', 'permission', 'collectionIds', 'filter'];

function oddToken(random: Random, key: string, keyId: string): string {
  const member = `,"${random.pick(CLAIMS)}":${random.pick(VALUES)}`;
  const claims = JSON.stringify({ exp: hour(), permission: 'read', sub: 'siege' }).replace('}', `${member}}`);
  const kid = random.pick([keyId, keyId.toUpperCase(), '', '\0', keyId.slice(1), `{${keyId}}`]);
  const header = JSON.stringify({ alg: random.pick(['HS256', 'none', 'hs256', 'HS512']), kid });
  const token = sign(key, random.next() < 0.5 ? JSON.stringify({ alg: 'HS256', kid: keyId }) : header, claims);
  const at = Math.floor(random.between(0, token.length));
  return random.next() < 0.5 ? token : token.slice(0, at) + random.pick(CHARACTERS) + token.slice(at + 1);
}

/** Sends a request as bytes, and notes the status of its answer. */
async function sendRaw({ url, note, signal }: Target, lines: readonly string[]): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const stop = (): void => void socket.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    socket.end(`${lines.join('\r\n')}\r\n\r\n`);
    let head = '';
    for await (const piece of socket) if (head.length < 100) head += String(piece);
    const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1];
    if (status !== undefined) note(Number(status), lines.join(' '));
  } catch {
    // The service may reset a connection.
  } finally {
    signal.removeEventListener('abort', stop);
    socket.destroy();
  }
}

async function run(target: Target): Promise<void> {
  const { keys, workspace, collection, chat, signal, send, broken } = target;
  const random = new Random(target.seed);
  const base = `/v1/w/${workspace}`;
  const whoami = await send('GET', '/v1/whoami', { key: keys.read });
  const keyId = /"keyId":"([^"]+)"/.exec(whoami?.text ?? '')?.[1] ?? '';
  const boundary = { 'content-type': `multipart/form-data; boundary=${'b'.repeat(5_000)}` };
  const inputs: readonly (() => Promise<unknown>)[] = [
    () => send('GET', `${base}/chat`, { key: oddToken(random, keys.read, keyId) }),
    async () => {
      const forged = await send('GET', `${base}/keys`, { key: oddToken(random, keys.read, keyId) });
      if (forged?.status === 200) broken('a token of a read key has listed the keys');
    },
    () => send('GET', `${base}/chat/${chat}/history?limit=1e400&cursor=%00`, { key: keys.admin }),
    () => send('GET', `${base}/chat/${chat}/message/${chat}/stream?after=4503599627370495`, { key: keys.admin }),
    () => send('GET', `${base}/col/${collection}/docs/${chat}/pages/4503599627370495`, { key: keys.read }),
    () => send('POST', `${base}/process`, { key: keys.write, headers: boundary, body: 'x' }),
    () => send('POST', `${base}/process?idempotency_key=%00`, { key: keys.write, body: '{}' }),
    () => send('POST', `${base}/search`, { key: keys.read, body: '['.repeat(1_000_000) }),
    () => sendRaw(target, ['GET /healthz HTTP/1.1', 'Host: a', 'Host: b', 'Connection: close']),
    () => sendRaw(target, ['GET /healthz HTTP/1.1', 'Host: a', `X: ${'x'.repeat(20_000)}`, 'Connection: close']),
  ];
  await repeat(signal, PARALLEL, () => random.pick(inputs)());
}

export const attack: Attack = { name: 'odd-inputs', fault: 'low', run };
