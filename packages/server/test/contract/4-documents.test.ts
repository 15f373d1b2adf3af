/** CONTRACT section 4: documents. */
import { createHash } from 'node:crypto';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createCollection,
  createDocument,
  createKey,
  createWorkspace,
  type AnyRecord,
  type TestWorkspace,
} from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';

const UUID = /^[0-9a-f-]{36}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const LIMIT = 300_000;

let service: TestService;
let workspace: TestWorkspace;
let collection: AnyRecord & { url: string };

beforeAll(async () => {
  service = await startTestService({ QUIRE_MAX_FILE_BYTES: String(LIMIT) });
  workspace = await createWorkspace(service);
  collection = await createCollection(service, workspace);
});
afterAll(() => service.stop());

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function form(content: string, name: string, fields: Record<string, string> = {}): FormData {
  const data = new FormData();
  for (const [key, value] of Object.entries(fields)) data.append(key, value);
  data.append('file', new Blob([content], { type: 'text/plain' }), name);
  return data;
}

const searchable = async (query: string, url = collection.url): Promise<string[]> => {
  const json = { query, mode: 'sparse' };
  const answer = await service.call<{ hits: { documentName: string }[] }>('POST', `${url}/search`, { json });
  return answer.data.hits.map((hit) => hit.documentName);
};

describe('uploading', () => {
  test('a form, a raw body and JSON make the same record', async () => {
    const content = '# Heron\n\nThe heron stands in the reeds.';
    const named = {
      'content-disposition': "attachment; filename*=UTF-8''reiher%20%E2%82%AC.md",
      'content-type': 'text/markdown',
    };
    const url = `${collection.url}/docs`;
    const metadata = { colour: 'grey' };
    const json = { name: 'reiher €.md', content, contentType: 'text/markdown', metadata };
    const answers = [
      await service.call('POST', `${url}/file-multipart?wait=60`, {
        body: form(content, 'reiher €.md', { metadata: JSON.stringify(metadata) }),
      }),
      await service.call('POST', `${url}/file-binary?wait=60`, { body: content, headers: named }),
      await service.call('POST', `${url}/raw?wait=60`, { json }),
    ];
    for (const [at, { status, data }] of answers.entries()) {
      expect(status).toBe(202);
      expect(data).toEqual({
        id: expect.stringMatching(UUID),
        workspaceId: workspace.id,
        collectionId: collection.id,
        parentId: null,
        name: 'reiher €.md',
        status: 'ready',
        contentType: 'text/markdown',
        sizeBytes: Buffer.byteLength(content),
        sha256: sha256(content),
        metadata: at === 1 ? {} : metadata,
        language: 'en',
        pageCount: null,
        chunkCount: 1,
        revision: 1,
        searchableRevision: 1,
        stage: null,
        progress: 1,
        error: null,
        warnings: [],
        createdAt: expect.stringMatching(TIMESTAMP),
        modifiedAt: expect.stringMatching(TIMESTAMP),
        readyAt: expect.stringMatching(TIMESTAMP),
        deletedAt: null,
      });
      expect((await service.call('GET', `${url}/${String(data['id'])}`)).data).toEqual(data);
    }
  });

  test('without waiting it is accepted at once, and waited for later', async () => {
    const json = { name: 'later.txt', content: 'Later is fine.', contentType: 'text/plain' };
    const accepted = await service.call('POST', `${collection.url}/docs/raw`, { json });
    expect([accepted.status, accepted.data['status']]).toEqual([202, 'indexing']);
    const waited = await service.call('GET', `${collection.url}/docs/${String(accepted.data['id'])}?wait=60`);
    expect([waited.status, waited.data['status']]).toEqual([200, 'ready']);
  });

  test('duplicates are allowed, skipped or refused, as requested', async () => {
    const own = await createCollection(service, workspace);
    const first = await createDocument(service, own);
    const upload = (duplicates: string) =>
      service.call('POST', `${own.url}/docs/file-binary?duplicates=${duplicates}`, {
        body: 'A note about leases.',
        headers: { 'content-disposition': 'attachment; filename=other.md' },
      });
    const skipped = await upload('skip');
    expect([skipped.status, skipped.data['id']]).toEqual([200, first.id]);
    const rejected = await upload('reject');
    expect([rejected.status, rejected.detail[0]?.type, rejected.detail[0]?.ctx]).toEqual([
      409,
      'conflict',
      { documentId: first.id },
    ]);
    const allowed = await upload('allow');
    expect([allowed.status, allowed.data['id'] === first.id]).toEqual([202, false]);
  });

  test.each<[what: string, name: string, content: string, status: number, type: string]>([
    ['an empty file', 'a.txt', '', 422, 'file_empty'],
    ['a name of no known kind', 'a.exe', 'MZ\0\0', 415, 'unsupported_file_type'],
    [
      'content that is not what the name says',
      'a.pdf',
      '<!doctype html><html><body>A page</body></html>',
      415,
      'file_type_mismatch',
    ],
    ['one byte too many', 'a.txt', 'x'.repeat(LIMIT + 1), 413, 'file_too_large'],
  ])('refused at once, with nothing kept: %s', async (_what, name, content, status, type) => {
    const own = await createCollection(service, workspace);
    const answers = [
      await service.call('POST', `${own.url}/docs/file-multipart`, { body: form(content, name) }),
      await service.call('POST', `${own.url}/docs/file-binary`, {
        body: content,
        headers: { 'content-disposition': `attachment; filename=${name}` },
      }),
      await service.call('POST', `${own.url}/docs/raw`, { json: { name, content, contentType: 'text/plain' } }),
    ];
    expect(answers.map((answer) => [answer.status, answer.detail[0]?.type])).toEqual(answers.map(() => [status, type]));
    expect((await service.call('GET', `${own.url}/docs`)).data['total']).toBe(0);
  });

  test('a file of spaces has no text: it fails, and says so', async () => {
    const document = await createDocument(service, collection, {
      name: 'blank.txt',
      content: ' \n\t ',
      contentType: 'text/plain',
    });
    expect([document['status'], document['error'], document['searchableRevision']]).toEqual([
      'failed',
      { type: 'no_text', message: expect.any(String) },
      null,
    ]);
    expect((await service.call('POST', `${document.url}/retry`)).status).toBe(202);
    const again = await service.call('GET', `${document.url}?wait=60`);
    expect([again.data['status'], (again.data['error'] as { type: string }).type]).toEqual(['failed', 'no_text']);
  });
});

describe('reading', () => {
  test('blocks, chunks and vectors are returned on request', async () => {
    const { url } = await createDocument(service, collection, { content: '# Owl\n\nThe owl sees at night.' });
    const plain = await service.call('GET', url);
    expect(Object.keys(plain.data)).not.toEqual(expect.arrayContaining(['blocks']));
    const { data } = await service.call<{
      blocks: { id: string; type: string; children: unknown[] }[];
      chunks: {
        id: string;
        ordinal: number;
        text: string;
        headings: string[];
        blockIds: string[];
        tokenCount: number;
        sparse: Record<string, unknown[]>;
      }[];
    }>('GET', `${url}?include=blocks,vectors`);
    expect(data.blocks[0]).toMatchObject({ id: expect.any(String), type: 'section' });
    expect(data.chunks).toHaveLength(1);
    const chunk = data.chunks[0]!;
    expect(chunk).toMatchObject({
      id: expect.stringMatching(UUID),
      ordinal: 0,
      text: expect.stringContaining('The owl sees at night.'),
      boxes: [],
    });
    expect(chunk.tokenCount).toBeGreaterThan(0);
    const { indices, values, terms } = chunk.sparse as { indices: number[]; values: number[]; terms: string[] };
    expect(terms).toContain('owl');
    expect([indices.length, values.length]).toEqual([terms.length, terms.length]);
    expect(indices.every((index) => Number.isInteger(index) && index >= 0 && index < 2 ** 32)).toBe(true);
    const wrong = await service.call('GET', `${url}?include=blocks&include=all&wait=61`);
    expect(wrong.detail.map(({ type, loc }) => [type, ...loc])).toEqual([
      ['enum', 'query', 'include', 1],
      ['less_than_equal', 'query', 'wait'],
    ]);
  });

  test('the list filters by status, name and parent, newest first', async () => {
    const own = await createCollection(service, workspace);
    for (const name of ['Alpha.txt', 'beta.txt', 'ALPHABET.txt']) {
      await createDocument(service, own, { name, content: name, contentType: 'text/plain' });
    }
    const names = async (query: string): Promise<string[]> => {
      const { data } = await service.call<{ items: { name: string }[] }>('GET', `${own.url}/docs?${query}`);
      return data.items.map((item) => item.name);
    };
    expect(await names('')).toEqual(['ALPHABET.txt', 'beta.txt', 'Alpha.txt']);
    expect(await names('name=alpha&order=asc')).toEqual(['Alpha.txt', 'ALPHABET.txt']);
    expect(await names('name=%25')).toEqual([]);
    expect(await names('status=failed')).toEqual([]);
    expect(await names('status=ready&limit=1')).toEqual(['ALPHABET.txt']);
  });
});

describe('changing', () => {
  test('metadata is merged, null removes a key, and filters see it at once', async () => {
    const { url, id } = await createDocument(service, collection, {
      content: 'A heron at dusk.',
      metadata: { a: 1, b: { c: 2 } },
    });
    const patched = await service.call('PATCH', url, { json: { name: 'renamed.md', metadata: { a: null, d: [3] } } });
    expect([patched.status, patched.data['name'], patched.data['metadata']]).toEqual([
      200,
      'renamed.md',
      { b: { c: 2 }, d: [3] },
    ]);
    const found = await service.call<{ hits: { documentId: string }[] }>('POST', `${collection.url}/search`, {
      json: { query: 'dusk', filter: { 'metadata.d': 3 } },
    });
    expect(found.data.hits.map((hit) => hit.documentId)).toEqual([id]);
  });

  test('new content is the next revision; the old one is found until it is there', async () => {
    const own = await createCollection(service, workspace);
    const document = await createDocument(service, own, { content: 'The walrus rests.' });
    const replaced = await service.call('PUT', `${document.url}/raw?wait=60`, {
      json: { name: 'new.md', content: 'The narwhal dives.', contentType: 'text/markdown' },
    });
    expect([
      replaced.status,
      replaced.data['revision'],
      replaced.data['searchableRevision'],
      replaced.data['status'],
    ]).toEqual([202, 2, 2, 'ready']);
    expect([await searchable('walrus', own.url), await searchable('narwhal', own.url)]).toEqual([[], ['new.md']]);
    const broken = await service.call('PUT', `${document.url}/file-multipart?wait=60`, {
      body: form('  ', 'blank.txt'),
    });
    expect([broken.data['status'], broken.data['revision'], broken.data['searchableRevision']]).toEqual([
      'failed',
      3,
      2,
    ]);
    expect(await searchable('narwhal', own.url)).toHaveLength(1);
  });

  test('an unchanged chunk keeps its id', async () => {
    const document = await createDocument(service, collection, { content: 'The lynx is shy.' });
    const ids = async (): Promise<unknown[]> =>
      (await service.call<{ chunks: { id: string }[] }>('GET', `${document.url}?include=chunks`)).data.chunks.map(
        (chunk) => chunk.id,
      );
    const before = await ids();
    await service.call('PUT', `${document.url}/raw?wait=60`, {
      json: { name: 'n.md', content: 'The lynx is shy.', contentType: 'text/markdown' },
    });
    expect(await ids()).toEqual(before);
  });

  test('names with control characters are refused wherever they are given', async () => {
    const { url } = await createDocument(service, collection);
    const raw = { content: 'x', contentType: 'text/plain' };
    for (const name of ['a\nb.md', 'fdp.\u202eexe', '\0', ' ']) {
      const answers = [
        await service.call('PATCH', url, { json: { name } }),
        await service.call('PUT', `${url}/raw`, { json: { name, ...raw } }),
        await service.call('POST', `${collection.url}/docs/file-multipart`, { body: form('x', 'x.txt', { name }) }),
      ];
      expect(answers.map(({ status, detail }) => [status, detail[0]?.type, detail[0]?.loc])).toEqual(
        answers.map(() => [422, 'value_error', ['body', 'name']]),
      );
    }
  });

  test('only a failed document is retried', async () => {
    const { url } = await createDocument(service, collection);
    const answer = await service.call('POST', `${url}/retry`);
    expect([answer.status, answer.detail[0]?.type, answer.detail[0]?.ctx]).toEqual([
      409,
      'conflict',
      { status: 'ready' },
    ]);
  });
});

describe('deleting', () => {
  test('hides at once, in lists and search, keeps the record and the original, and is undone by undelete', async () => {
    const own = await createCollection(service, workspace);
    const { url, id } = await createDocument(service, own, { content: 'The badger digs.' });
    const gone = await service.call('DELETE', url);
    expect([gone.status, gone.data['status'], await searchable('badger', own.url)]).toEqual([200, 'deleted', []]);
    expect((await service.call('DELETE', url)).data).toEqual(gone.data);
    expect((await service.call('GET', url)).data).toEqual(gone.data);
    expect((await service.call('GET', `${url}/original`)).text).toBe('The badger digs.');
    const totals = await Promise.all(
      ['', '?status=deleted'].map((query) => service.call('GET', `${own.url}/docs${query}`)),
    );
    expect(totals.map((list) => list.data['total'])).toEqual([0, 1]);
    const changes = [
      await service.call('PATCH', url, { json: { name: 'x' } }),
      await service.call('POST', `${url}/retry`),
      await service.call('PUT', `${url}/raw`, { json: { name: 'x', content: 'x', contentType: 'text/plain' } }),
    ];
    expect(changes.map((answer) => [answer.status, answer.detail[0]?.type, answer.detail[0]?.ctx])).toEqual(
      changes.map(() => [409, 'deleted', { documentId: id }]),
    );
    const back = await service.call('PUT', `${url}/undelete`);
    expect([back.status, back.data['status'], back.data['deletedAt']]).toEqual([200, 'ready', null]);
    expect(await searchable('badger', own.url)).toEqual(['note.md']);
  });

  test('many at once, by id or by filter', async () => {
    const own = await createCollection(service, workspace);
    const [first] = [
      await createDocument(service, own, { metadata: { year: 2018 } }),
      await createDocument(service, own, { metadata: { year: 2019 } }),
      await createDocument(service, own, { metadata: { year: 2026 } }),
    ];
    const url = `${own.url}/docs/delete`;
    const byId = await service.call('POST', url, {
      json: { documentIds: [first.id, '0192f0c4-0000-7000-8000-00000000ffff'] },
    });
    expect([byId.status, byId.data]).toEqual([200, { deleted: 1 }]);
    const byFilter = await service.call('POST', url, { json: { filter: { 'metadata.year': { lt: 2020 } } } });
    expect([byFilter.status, byFilter.data]).toEqual([200, { deleted: 1 }]);
    const neither = await service.call('POST', url, { json: {} });
    expect([neither.status, neither.detail[0]?.type]).toEqual([422, 'value_error']);
    const many = Array.from({ length: 1001 }, () => first.id);
    expect((await service.call('POST', url, { json: { documentIds: many } })).detail[0]?.type).toBe('too_long');
  });

  test('many failed ones are processed again, by id or by filter; others are skipped', async () => {
    const own = await createCollection(service, workspace);
    const blank = { content: '   ', contentType: 'text/plain' };
    const [first, second, ready] = [
      await createDocument(service, own, { ...blank, name: 'a.txt', metadata: { year: 2019 } }),
      await createDocument(service, own, { ...blank, name: 'b.txt', metadata: { year: 2020 } }),
      await createDocument(service, own),
    ];
    expect([first['status'], second['status'], ready['status']]).toEqual(['failed', 'failed', 'ready']);
    const url = `${own.url}/docs/retry`;
    const byId = await service.call('POST', url, { json: { documentIds: [first.id, ready.id] } });
    expect([byId.status, byId.data]).toEqual([202, { retried: 1 }]);
    const byFilter = await service.call('POST', url, { json: { filter: { 'metadata.year': 2020 } } });
    expect([byFilter.status, byFilter.data]).toEqual([202, { retried: 1 }]);
    const neither = await service.call('POST', url, { json: {} });
    expect([neither.status, neither.detail[0]?.type]).toEqual([422, 'value_error']);
    for (const { url: document } of [first, second]) {
      const ended = await service.call('GET', `${document}?wait=60`);
      expect(ended.data['status']).toBe('failed');
    }
  });

  test('purging needs admin and is permanent', async () => {
    const { url } = await createDocument(service, collection);
    const key = await createKey(service, workspace, { permission: 'write' });
    expect((await service.call('DELETE', `${url}?purge=true`, { key })).status).toBe(403);
    expect((await service.call('DELETE', `${url}?purge=true`, { key: workspace.admin })).status).toBe(200);
    expect((await service.call('GET', url)).status).toBe(404);
  });
});

describe('archives', () => {
  test('a retry reads members that could not be unpacked through their archive, and gives the same reasons', async () => {
    const own = await createCollection(service, workspace);
    const archive = await service.call('POST', `${own.url}/docs/file-binary?wait=60`, {
      body: new Uint8Array(zipSync({ 'one.exe': new TextEncoder().encode('MZ') })),
      headers: { 'content-disposition': 'attachment; filename=all.zip' },
    });
    const error = async (query: string): Promise<unknown[]> => {
      const { data } = await service.call<{ items: AnyRecord[] }>('GET', `${own.url}/docs?${query}`);
      return data.items.map((item) => [item.id, (item['error'] as AnyRecord | null)?.['type']]);
    };
    const parentId = String(archive.data['id']);
    const [[member]] = (await error(`parentId=${parentId}`)) as [[string]];
    const single = await service.call('POST', `${own.url}/docs/${member}/retry`);
    expect([single.status, single.detail[0]?.ctx]).toEqual([409, { parentId }]);
    const many = await service.call('POST', `${own.url}/docs/retry`, { json: { documentIds: [member, parentId] } });
    expect([many.status, many.data]).toEqual([202, { retried: 1 }]);
    expect((await service.call('GET', `${own.url}/docs/${parentId}?wait=60`)).data['status']).toBe('failed');
    expect(await error(`parentId=${parentId}`)).toEqual([[member, 'unsupported']]);
    expect(await error(`status=failed&errorType=no_readable_member`)).toEqual([[parentId, 'no_readable_member']]);
  });

  test('each member is a document; the archive is ready when they are, and deleted with them', async () => {
    const own = await createCollection(service, workspace);
    const text = (value: string): Uint8Array => new TextEncoder().encode(value);
    const zip = zipSync({
      'a/one.txt': text('The first member.'),
      'two.md': text('The second member.'),
      'three.exe': text('MZ'),
    });
    const headers = { 'content-disposition': 'attachment; filename=all.zip' };
    const archive = await service.call('POST', `${own.url}/docs/file-binary?wait=60`, {
      body: new Uint8Array(zip),
      headers,
    });
    expect([archive.status, archive.data['status']]).toEqual([202, 'ready']);
    const members = await service.call<{ items: AnyRecord[] }>(
      'GET',
      `${own.url}/docs?parentId=${String(archive.data['id'])}&status=ready`,
    );
    expect(
      members.data.items.map((item) => (item['metadata'] as Record<string, unknown>)['archivePath']).toSorted(),
    ).toEqual(['a/one.txt', 'two.md']);
    const { data } = await service.call('GET', own.url);
    expect([data['documentCounts'], data['archiveCounts'], data['failedByType']]).toEqual([
      { indexing: 0, ready: 2, failed: 1 },
      { indexing: 0, ready: 1, failed: 0 },
      { unsupported: 1 },
    ]);
    const total = async (query: string) =>
      (await service.call<{ total: number }>('GET', `${own.url}/docs?${query}`)).data.total;
    // Lists hold the archive and its members.
    expect([await total('status=ready'), await total('status=failed'), await total('')]).toEqual([3, 1, 4]);
    await service.call('DELETE', `${own.url}/docs/${String(archive.data['id'])}`);
    expect(await searchable('member', own.url)).toEqual([]);
  });
});

describe('artifacts', () => {
  let url: string;
  const content = '# Stork\n\n<script>alert(1)</script> The stork nests.';

  beforeAll(async () => {
    url = (await createDocument(service, collection, { name: 'störk.md', content })).url;
  });

  test('come with an ETag and headers that make them inert', async () => {
    for (const [name, type] of [
      ['original', 'text/markdown'],
      ['markdown', 'text/markdown'],
      ['html', 'text/html'],
      ['thumbnail', 'image/webp'],
    ]) {
      const answer = await service.call('GET', `${url}/${name}`);
      expect([name, answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([name, 200, type]);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(answer.headers.get('content-security-policy')).toContain('sandbox');
      const etag = answer.headers.get('etag')!;
      expect((await service.call('GET', `${url}/${name}`, { headers: { 'if-none-match': etag } })).status).toBe(304);
    }
    expect((await service.call('GET', `${url}/original`)).headers.get('content-disposition')).toContain(
      "filename*=UTF-8''st%C3%B6rk.md",
    );
    expect((await service.call('GET', `${url}/html`)).text).not.toContain('<script');
  });

  test.each<[range: string, status: number, contentRange: (size: number) => string | null, slice: [number, number?]]>([
    ['bytes=2-6', 206, (size) => `bytes 2-6/${size}`, [2, 7]],
    ['bytes=9-', 206, (size) => `bytes 9-${size - 1}/${size}`, [9]],
    ['bytes=-6', 206, (size) => `bytes ${size - 6}-${size - 1}/${size}`, [-6]],
    ['bytes=0-99999', 206, (size) => `bytes 0-${size - 1}/${size}`, [0]],
    ['lines=1-2', 200, () => null, [0]],
    ['bytes=5-2', 200, () => null, [0]],
  ])('answer to a range of bytes: %s', async (range, status, contentRange, slice) => {
    const answer = await service.call('GET', `${url}/original`, { headers: { range } });
    expect([answer.status, answer.headers.get('content-range'), answer.text]).toEqual([
      status,
      contentRange(content.length),
      content.slice(...slice),
    ]);
  });

  test('a range outside of the content cannot be satisfied', async () => {
    const answer = await service.call('GET', `${url}/original`, { headers: { range: 'bytes=9999-' } });
    expect([answer.status, answer.headers.get('content-range'), answer.detail[0]?.loc]).toEqual([
      416,
      `bytes */${content.length}`,
      ['header', 'range'],
    ]);
  });

  test('HEAD answers as GET, without the content', async () => {
    const answer = await service.call('HEAD', `${url}/original`);
    expect([answer.status, answer.headers.get('content-length'), answer.text]).toEqual([
      200,
      String(content.length),
      '',
    ]);
  });

  test('signed links work without a key, for their artifact only, until they expire', async () => {
    const links = await service.call<Record<string, string>>('POST', `${url}/links`, {
      json: { expiresInSeconds: 600 },
    });
    expect(links.status).toBe(200);
    const original = links.data['original']!;
    const anonymous = (path: string) => service.call('GET', path, { key: null });
    expect((await anonymous(original)).text).toBe(content);
    expect((await anonymous(original.replace('/original?', '/html?'))).status).toBe(401);
    expect((await anonymous(original.replace(/expires=\d+/, 'expires=9999999999'))).status).toBe(401);
    expect((await anonymous(original.replace(/(signature=)./, '$1!'))).status).toBe(401);
    expect((await anonymous(`${url}/original`)).status).toBe(401);
    const second = await createDocument(service, collection);
    expect((await anonymous(original.replace(url, second.url))).status).toBe(401);
    expect((await service.call('POST', `${url}/links`, { json: { expiresInSeconds: 3601 } })).detail[0]?.type).toBe(
      'less_than_equal',
    );
    expect((await service.call('POST', `${url}/links`)).status).toBe(200);
  });
});
