/** CONTRACT section 2: odd tokens, keys, links, cursors and positions are refused; none of them causes a 5xx. */
import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCollection, createDocument, createKey, createWorkspace, type AnyRecord } from '../factories.ts';
import { mintToken, type TokenFields } from '../mint-token.ts';
import { startTestService, type TestService } from '../server.ts';

let service: TestService;
let workspace: { url: string };
let collection: { id: string; url: string };
let document: { url: string };
let key: string;
let keyId: string;

beforeAll(async () => {
  service = await startTestService();
  workspace = await createWorkspace(service);
  collection = await createCollection(service, workspace);
  document = await createDocument(service, collection);
  await createDocument(service, collection, { content: 'A second document.' });
  key = await createKey(service, workspace, { permission: 'write' });
  keyId = String((await service.call('GET', '/v1/whoami', { key })).data['keyId']);
});
afterAll(() => service.stop());

const hour = (): number => Math.floor(Date.now() / 1000) + 3_600;
const encode = (part: string | Uint8Array): string => Buffer.from(part).toString('base64url');

/** Signs any two texts or bytes as header and payload. */
function sign(header: string | Uint8Array, payload: string | Uint8Array): string {
  const secret = createHash('sha256').update(`quire-token:${key}`).digest();
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

const header = (): string => JSON.stringify({ alg: 'HS256', kid: keyId });
const claims = (changes: object = {}): string => JSON.stringify({ exp: hour(), permission: 'write', ...changes });
/** Signs claims with a member that `JSON.stringify` cannot write. */
const withMember = (member: string): string => sign(header(), claims().replace('}', `,${member}}`));

/** Sends a credential to calls that read its claims in several ways: whoami, a list by subject, a search, a write. */
async function statuses(credential: string): Promise<number[]> {
  const note = { name: 'n.md', content: 'A note.', contentType: 'text/markdown' };
  const answers = await Promise.all([
    service.call('GET', '/v1/whoami', { key: credential }),
    service.call('GET', `${workspace.url}/chat?limit=1`, { key: credential }),
    service.call('POST', `${workspace.url}/search`, { key: credential, json: { query: 'lease', limit: 1 } }),
    service.call('POST', `${collection.url}/docs/raw?duplicates=skip`, { key: credential, json: note }),
  ]);
  return answers.map(({ status }) => status);
}

const REFUSED = [401, 401, 401, 401];
const LONE_SURROGATE = '"sub":"\\ud800"';

const REFUSED_TOKENS: Readonly<Record<string, () => string>> = {
  'kid in upper case': () => sign(JSON.stringify({ alg: 'HS256', kid: keyId.toUpperCase() }), claims()),
  'kid in braces': () => sign(JSON.stringify({ alg: 'HS256', kid: `{${keyId}}` }), claims()),
  'kid that is a list': () => sign(JSON.stringify({ alg: 'HS256', kid: [keyId] }), claims()),
  'kid with a NUL': () => sign(JSON.stringify({ alg: 'HS256', kid: `${keyId}\0` }), claims()),
  'header that is null': () => sign('null', claims()),
  'header that is a list': () => sign('[]', claims()),
  'header that is not UTF-8': () => sign(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), claims()),
  'alg in lower case': () => sign(JSON.stringify({ alg: 'hs256', kid: keyId }), claims()),
  'alg that is null': () => sign(JSON.stringify({ alg: null, kid: keyId }), claims()),
  'alg of another kind': () => sign(JSON.stringify({ alg: 'RS256', kid: keyId }), claims()),
  'exp that is infinite': () => withMember('"exp":1e400'),
  'exp that is negatively infinite': () => withMember('"exp":-1e400'),
  'exp that is huge': () => withMember('"exp":1e308'),
  'exp that is negative': () => withMember('"exp":-1'),
  'exp that is text': () => withMember(`"exp":"${hour()}"`),
  'exp that is null': () => withMember('"exp":null'),
  'exp that is a list': () => withMember('"exp":[9]'),
  'nbf that is infinite': () => withMember('"nbf":1e400'),
  'nbf that is null': () => withMember('"nbf":null'),
  'nbf that is text': () => withMember('"nbf":"0"'),
  'sub with a NUL': () => withMember('"sub":"a\\u0000b"'),
  'sub with half a surrogate pair': () => withMember(LONE_SURROGATE),
  'sub that is empty': () => withMember('"sub":""'),
  'sub that is null': () => withMember('"sub":null'),
  'sub that is a number': () => withMember('"sub":1'),
  'sub that is too long': () => withMember(`"sub":"${'a'.repeat(201)}"`),
  'sub that is not UTF-8': () =>
    sign(
      header(),
      Buffer.concat([Buffer.from(claims().replace('}', ',"sub":"')), Buffer.from([0xff]), Buffer.from('"}')]),
    ),
  'permission that is null': () => withMember('"permission":null'),
  'permission in upper case': () => withMember('"permission":"READ"'),
  'permission that is a list': () => withMember('"permission":["read"]'),
  'permission of an object': () => withMember('"permission":"constructor"'),
  'collectionIds that is null': () => withMember('"collectionIds":null'),
  'collectionIds that is text': () => withMember(`"collectionIds":"${collection.id}"`),
  'collectionIds with a text': () => withMember('"collectionIds":["all"]'),
  'collectionIds with null': () => withMember(`"collectionIds":["${collection.id}",null]`),
  'filter that is null': () => withMember('"filter":null'),
  'filter that is a list': () => withMember('"filter":[]'),
  'filter that is false': () => withMember('"filter":false'),
  'filter of the prototype': () => withMember('"filter":{"__proto__":{"eq":1}}'),
  'filter with a NUL': () => withMember('"filter":{"metadata.a":"\\u0000"}'),
  'filter with an infinite number': () => withMember('"filter":{"metadata.a":1e400}'),
  'filter of many levels': () => withMember(`"filter":${'{"not":'.repeat(800)}{}${'}'.repeat(800)}`),
  'a claim of many levels': () => withMember(`"more":${'['.repeat(4_000)}${']'.repeat(4_000)}`),
  'claims that are null': () => sign(header(), 'null'),
  'claims that are a list': () => sign(header(), '[]'),
  'claims that are no JSON': () => sign(header(), claims().slice(1)),
  'no parts': () => '..',
  'no claims': () => sign(header(), ''),
  'no header': () => sign('', claims()),
  'four parts': () => `${sign(header(), claims())}.`,
  'a part with padding': () => `${sign(header(), claims())}=`,
  'a part in the other alphabet': () => sign(header(), claims({ sub: '????>>>>' })).replaceAll('_', '/'),
  'a signature with further characters': () => `${sign(header(), claims())}!!`,
};

test('every fault of a token is refused with 401', async () => {
  expect(await statuses(sign(header(), claims({ sub: 'ada' })))).toEqual([200, 200, 200, expect.any(Number)]);
  for (const [name, mint] of Object.entries(REFUSED_TOKENS)) {
    expect([name, ...(await statuses(mint()))]).toEqual([name, ...REFUSED]);
  }
});

test('a claim that is named twice has its last value, and other claims are ignored', async () => {
  for (const member of ['"permission":"read"', '"permission":"read","more":[[{"a":1}]]']) {
    const token = withMember(member);
    expect((await service.call('GET', '/v1/whoami', { key: token })).data).toMatchObject({ permission: 'read' });
  }
});

const CREATED = [200, 202];
const isAnswer = ([whoami, chats, search, upload]: number[]): boolean =>
  whoami === 401
    ? [chats, search, upload].every((status) => status === 401)
    : [whoami, chats, search].every((status) => status === 200) && [...CREATED, 403, 404].includes(upload ?? 0);

describe('property tests', () => {
  test('signed claims of any values are refused or valid', async () => {
    const odd = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('\0', '\ud800', 1e308, -1, 0, 1.5, [], {}, '', [null], { not: {} }, 'read'),
    );
    const names = ['exp', 'nbf', 'iat', 'sub', 'permission', 'collectionIds', 'filter', 'jti', 'aud', 'iss'];
    const changes = fc.dictionary(fc.constantFrom(...names), odd, { maxKeys: 3 });
    await fc.assert(
      fc.asyncProperty(changes, async (changed) => {
        expect(await statuses(sign(header(), claims(changed)))).toSatisfy(isAnswer);
      }),
      { numRuns: 40 },
    );
  });

  test('a signed header of any values is refused or valid', async () => {
    const names = fc.constantFrom('alg', 'kid', 'typ', 'crit', 'b64', 'jwk', 'x5u', 'zip', 'cty');
    await fc.assert(
      fc.asyncProperty(fc.dictionary(names, fc.jsonValue(), { maxKeys: 3 }), async (changed) => {
        const token = sign(JSON.stringify({ alg: 'HS256', kid: keyId, ...changed }), claims());
        expect(await statuses(token)).toSatisfy(isAnswer);
      }),
      { numRuns: 25 },
    );
  });

  test('a token with changed characters is refused', async () => {
    const valid = mintToken(keyId, key, { permission: 'write', sub: 'ada' } satisfies TokenFields);
    const character = fc.constantFrom(...Array.from('AZaz09-_.=+/!\u00e9\u00ff'));
    await fc.assert(
      fc.asyncProperty(fc.nat(valid.length - 1), fc.nat(3), character, async (at, dropped, added) => {
        const changed = valid.slice(0, at) + added + valid.slice(at + dropped);
        if (changed !== valid) expect(await statuses(changed)).toEqual(REFUSED);
      }),
      { numRuns: 40 },
    );
  });

  test('a key of any characters of a header is refused', async () => {
    const text = fc.string({
      unit: fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code === 0x7f ? 0x21 : code)),
      minLength: 1,
      maxLength: 300,
    });
    await fc.assert(
      fc.asyncProperty(text, async (credential) => {
        expect(await statuses(credential)).toEqual(REFUSED);
      }),
      { numRuns: 40 },
    );
  });
});

test('a changed link is refused with 401', async () => {
  const { data } = await service.call('POST', `${document.url}/links`, { json: {} });
  const link = /"(\/v1[^"]*\/original\?[^"]*)"/.exec(JSON.stringify(data))?.[1] ?? '';
  expect((await service.call('GET', link, { key: null })).status).toBe(200);
  const [path = '', query = ''] = link.split('?');
  const { expires = '', signature = '' } = Object.fromEntries(new URLSearchParams(query));
  const queries = [
    ['1e400', signature],
    ['-1', signature],
    [` ${expires}`, signature],
    [`${expires}.0`, signature],
    ['9'.repeat(400), signature],
    ['\0', signature],
    ['', signature],
    [expires, ''],
    [expires, `${signature}=`],
    [expires, signature.toUpperCase()],
    [expires, '\u{10ffff}'.repeat(43)],
    [expires, 'A'.repeat(8_000)],
  ].map(([at = '', signed = '']) => new URLSearchParams({ expires: at, signature: signed }).toString());
  for (const each of [...queries, `expires=%00&signature=%ff`, `signature=${signature}&signature=x`]) {
    expect([each, (await service.call('GET', `${path}?${each}`, { key: null })).status]).toEqual([each, 401]);
  }
});

test('a changed cursor is refused with 422', async () => {
  const first = await service.call<{ cursor: string }>('GET', `${collection.url}/docs?limit=1`);
  const { cursor } = first.data;
  const place = fc.nat(cursor.length - 1);
  await fc.assert(
    fc.asyncProperty(place, fc.string({ unit: 'binary', maxLength: 3 }), async (at, added) => {
      const changed = cursor.slice(0, at) + added + cursor.slice(at + 1);
      if (changed === cursor) return;
      const answer = await service.call('GET', `${collection.url}/docs?limit=1&cursor=${encodeURIComponent(changed)}`);
      expect([answer.status, answer.detail?.[0]?.loc]).toEqual([422, ['query', 'cursor']]);
    }),
    { numRuns: 40 },
  );
});

const POSITIONS = [
  'x',
  '1~9:3:',
  '1~3:9:12',
  '1~3:9:8,4',
  '1~3:9:4,4',
  '1~0:0:',
  '1~9999999999999999999:9999999999999999999:',
  '1~3:9:~9:3:~1',
  '1~3:9:~0:0:~999999999999999999',
  'zzzzzzzzzzz~3:9:',
  `1~3:9:${'4,'.repeat(5_000)}5`,
  '\u00ff',
];

test('an event position that was never sent begins the stream with a reset', async () => {
  for (const position of POSITIONS) {
    const leaving = new AbortController();
    const response = await fetch(`${service.address}${workspace.url}/events`, {
      headers: { authorization: `Bearer ${key}`, 'last-event-id': position },
      signal: leaving.signal,
    });
    expect([position, response.status]).toEqual([position, 200]);
    const { value } = (await response.body?.getReader().read()) ?? {};
    expect([position, new TextDecoder().decode(value)]).toEqual([position, expect.stringContaining('event: reset')]);
    leaving.abort();
  }
});

test('a key of idempotency that cannot be stored is refused with 422', async () => {
  const url = `${workspace.url}/process`;
  for (const query of ['%00', '%ff', 'a'.repeat(300), '%ed%a0%80', '']) {
    const { status } = await service.call('POST', `${url}?idempotency_key=${query}`, { json: {} });
    expect([query.slice(0, 9), status]).toEqual([query.slice(0, 9), 422]);
  }
  for (const header of ['\u00ff', 'a'.repeat(300), 'a,b']) {
    const { status } = await service.call('POST', url, { json: {}, headers: { 'idempotency-key': header } });
    expect([header.slice(0, 9), status]).toEqual([header.slice(0, 9), 422]);
  }
});

test('a position in the stream of an answer has a limit', async () => {
  const created = await service.call<AnyRecord>('POST', `${workspace.url}/chat`, {
    json: { collection_id: collection.id },
  });
  const chat = `${workspace.url}/chat/${created.data.id}`;
  const asked = await service.call<{ messages: AnyRecord[] }>('POST', `${chat}/message`, {
    json: { query: 'Which lease?', stream: false },
  });
  const url = `${chat}/message/${asked.data.messages[1]!.id}/stream`;
  const status = async (after: string) => (await service.call('GET', `${url}?after=${after}`)).status;
  const found = ['2147483646', '2147483647', '4503599627370495', '1e3', '-2', '9'.repeat(400)];
  expect(await Promise.all(found.map(status))).toEqual([200, 422, 422, 422, 422, 422]);
  const { detail } = await service.call('GET', `${url}?after=4503599627370495`);
  expect(detail).toEqual([
    {
      loc: ['query', 'after'],
      msg: 'Input should be less than or equal to 2147483646',
      type: 'less_than_equal',
      input: '4503599627370495',
      ctx: { le: 2_147_483_646 },
    },
  ]);
});
