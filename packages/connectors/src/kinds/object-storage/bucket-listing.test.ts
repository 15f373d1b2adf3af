import { describe, expect, onTestFinished, test } from 'vitest';
import { CONTEXT, listInto, noAbort, pathsOf } from '../../conformance/read-source.ts';
import { ListingFailed } from '../../connector-error.ts';
import type { Connector, ListingPage } from '../../connector.ts';
import { BUCKET, KEYS, startS3Server, type S3Server } from '../../testing/s3-server.ts';
import { objectStorage } from './descriptor.ts';

const NAMES = ['b', 'b/1', 'b/2', 'b-1', 'b/c', 'b/c/3', 'd', 'ä b/+&<>', '\u{1F600}', '\uFB01', 'z', 'z/1', 'z/2'];

async function bucket(behaviour: Partial<S3Server> = {}, keys: readonly string[] = NAMES): Promise<S3Server> {
  const server = await startS3Server();
  onTestFinished(() => server.close());
  Object.assign(server, behaviour);
  for (const key of keys) server.write(key, Buffer.from(key));
  return server;
}

const open = ({ port }: S3Server, maxPageEntries = 2, more: object = {}): Connector =>
  objectStorage.open(
    { bucket: BUCKET, endpoint: `http://127.0.0.1:${port}`, ...KEYS, ...more },
    { ...CONTEXT, maxPageEntries },
  );

async function pagesOf(server: S3Server, token: string | null = null, maxPageEntries = 2): Promise<ListingPage[]> {
  const pages: ListingPage[] = [];
  await listInto(pages, open(server, maxPageEntries), token, { ...CONTEXT, maxPageEntries });
  return pages;
}

const warningsOf = (pages: readonly ListingPage[]): string[] =>
  pages.flatMap(({ warnings = [] }) => warnings.map(({ type }) => type));

const SORTED = NAMES.toSorted();

describe('the listing of a bucket', () => {
  test.each([
    ['keys', 'opaque', []],
    ['folders', 'opaque', ['unordered_listing']],
    ['folders', 'keys', ['unordered_listing']],
    ['keys', 'none', []],
    ['folders', 'none', ['unordered_listing']],
  ] as const)(
    'in the order of %s with %s as tokens skips nothing, at any border and after a stop',
    async (order, tokens, warnings) => {
      const server = await bucket({ order, tokens });
      for (let size = 1; size <= NAMES.length; size += 1) {
        const pages = await pagesOf(server, null, size);
        expect([size, pathsOf(pages)]).toEqual([size, SORTED]);
        const others = warningsOf(pages).filter((type) => type !== 'incomplete_listing');
        expect([size, others]).toEqual([size, warnings]);
        for (const [at, { resumeToken }] of pages.entries()) {
          if (resumeToken === null) continue;
          const resumed = [...pages.slice(0, at + 1), ...(await pagesOf(server, resumeToken, size))];
          expect([size, at, pathsOf(resumed)]).toEqual([size, at, SORTED]);
        }
      }
    },
  );

  test('is continued by the token of the server, not by the last key', async () => {
    const server = await bucket();
    await pagesOf(server);
    const continued = server.requests.slice(1);
    expect(continued.length).toBe(6);
    expect(continued.filter((request) => !request.includes('continuation-token=%2B%2F%3D%26%3C%25%20'))).toEqual([]);
  });

  test('continues after the last key when the server has forgotten its tokens', async () => {
    const server = await bucket();
    const [first] = await pagesOf(server);
    server.hasForgotten = true;
    server.requests.length = 0;
    const pages = await pagesOf(server, first?.resumeToken ?? '', 100);
    expect([pathsOf([first!, ...pages]), warningsOf(pages)]).toEqual([SORTED, []]);
    expect(server.requests.map((request) => /continuation-token|start-after=[^&]*/.exec(request)?.[0])).toEqual([
      'continuation-token',
      'start-after=b-1',
    ]);
  });

  test('starts again if its keys have no order and the server has forgotten its tokens', async () => {
    const server = await bucket({ order: 'folders' });
    const pages = await pagesOf(server, null, 7);
    expect(warningsOf(pages)).toEqual(['unordered_listing']);
    server.hasForgotten = true;
    const resumed = await pagesOf(server, pages[0]?.resumeToken ?? '', 100);
    expect([pathsOf(resumed), warningsOf(resumed)]).toEqual([SORTED, ['listing_restarted', 'unordered_listing']]);
  });

  test('fails if the server refuses every token of a listing without an order', async () => {
    const server = await bucket({ order: 'folders', hasForgotten: true });
    const pages: ListingPage[] = [];
    const context = { ...CONTEXT, maxPageEntries: 7 };
    const failure: unknown = await listInto(pages, open(server, 7), null, context).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ListingFailed);
    expect([pages.length, pages.flatMap(({ completeFolders }) => completeFolders)]).toEqual([4, []]);
  });

  test('continues a resume token of an earlier release, which is a key', async () => {
    const server = await bucket();
    expect(pathsOf(await pagesOf(server, 'b/c/3'))).toEqual(SORTED.slice(SORTED.indexOf('b/c/3') + 1));
  });

  test('ends only at an empty page if the server does not say whether there are more', async () => {
    const server = await bucket({ saysTruncated: false });
    for (const size of [1, 2, 13, 100])
      expect([size, pathsOf(await pagesOf(server, null, size))]).toEqual([size, SORTED]);
  });

  test('finds what a full last page does not announce, and says so', async () => {
    const server = await bucket({ order: 'folders', tokens: 'keys' }, ['a', 'z', 'z/1', 'z/2', 'z/3']);
    const pages = await pagesOf(server);
    expect([pathsOf(pages), warningsOf(pages)]).toEqual([['a', 'z', 'z/1', 'z/2', 'z/3'], ['incomplete_listing']]);
  });

  test('fails if the server repeats a page in place of the next one', async () => {
    const server = await bucket({ tokens: 'none', ignoresPosition: true });
    await expect(pagesOf(server)).rejects.toMatchObject({ type: 'listing_failed', folder: '' });
  });
});

describe('an object that a listing left out', () => {
  test('is verified by its key, and only NoSuchKey shows that it is gone', async () => {
    const server = await bucket({}, ['in/a', 'in/empty', 'out/b']);
    server.write('in/empty', Buffer.alloc(0));
    const connector = open(server, 2, { prefix: 'in/' });
    const answers = async (): Promise<string[]> =>
      Promise.all(['in/a', 'in/empty', 'in/c', 'out/b'].map((path) => connector.exists({ path }, noAbort)));
    expect(await answers()).toEqual(['present', 'present', 'absent', 'absent']);
    for (const [answer, existence] of [
      [{ status: 404, code: '' }, 'unknown'],
      [{ status: 403, code: 'AccessDenied' }, 'unknown'],
      [{ status: 403, code: 'InvalidObjectState' }, 'present'],
      [{ status: 416, code: 'InvalidRange' }, 'present'],
    ] as const) {
      server.objectAnswer = answer;
      expect([answer, await connector.exists({ path: 'in/a' }, noAbort)]).toEqual([answer, existence]);
    }
    for (const [answer, type] of [
      [{ status: 404, code: 'NoSuchBucket' }, 'listing_failed'],
      [{ status: 403, code: 'InvalidAccessKeyId' }, 'credentials_refused'],
      [{ status: 503, code: 'SlowDown' }, 'source_unavailable'],
    ] as const) {
      server.objectAnswer = answer;
      await expect(connector.exists({ path: 'in/a' }, noAbort)).rejects.toMatchObject({ type });
    }
  });
});
