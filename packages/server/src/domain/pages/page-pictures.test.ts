import { Readable } from 'node:stream';
import { beforeEach, expect, test } from 'vitest';
import { ContentError } from '@quire/blocks/content-error';
import type { PageList } from '@quire/parse/page-pictures/list-pages';
import type { SourceFile } from '@quire/parse/parser';
import type { ObjectStore } from '../../storage/object-store.ts';
import { PageDrawing } from './page-drawing.ts';
import { PagePictures, type PictureOutcome } from './page-pictures.ts';
import type { PageSource } from './page-source.ts';
import { PictureCache } from './picture-cache.ts';

const MINUTE_MS = 60_000;
const whole = { width: 800, boxes: [], mark: false };

/** Objects in memory; a path is the key. */
class MemoryStore implements ObjectStore {
  readonly objects = new Map<string, Buffer>();

  async put(key: string, body: Readable | Buffer) {
    if (!Buffer.isBuffer(body)) throw new Error('only buffers are stored');
    this.objects.set(key, body);
    return { sizeBytes: body.length };
  }

  putFile(): Promise<never> {
    return Promise.reject(new Error('no files are stored'));
  }

  async get(key: string) {
    const found = this.objects.get(key);
    return found === undefined ? undefined : Readable.from([found]);
  }

  async stat(key: string) {
    const found = this.objects.get(key);
    return found === undefined ? undefined : { sizeBytes: found.length };
  }

  async checkout(key: string) {
    return this.objects.has(key) ? { path: key, release: () => Promise.resolve() } : undefined;
  }

  async *list(prefix: string) {
    for (const [key, { length }] of this.objects) {
      if (key.startsWith(prefix)) yield { key, sizeBytes: length, modifiedAt: new Date() };
    }
  }

  async delete(key: string) {
    this.objects.delete(key);
  }

  deletePrefix(): Promise<never> {
    return Promise.reject(new Error('nothing is deleted by prefix'));
  }

  close() {
    return Promise.resolve();
  }
}

let store: MemoryStore;
let now: number;
let drawn: string[];
let outcomes: PictureOutcome[];
let fail: Error | undefined;
let list: PageList | null;

const source = (format: SourceFile['format']): PageSource => ({
  contentId: 'c1',
  key: 'a/original',
  pictures: 'page-pictures/a/',
  file: { name: 'lease', sizeBytes: 4, format, contentType: '' },
});

beforeEach(() => {
  store = new MemoryStore();
  store.objects.set('a/original', Buffer.from('file'));
  now = Date.now();
  drawn = [];
  outcomes = [];
  fail = undefined;
  list = { pages: [{ page: 1, width: 595, height: 842 }], pdf: null };
});

function pictures(maxBytes = 10_000): PagePictures {
  const cache = new PictureCache({ store, maxBytes, now: () => now });
  const sandbox = {
    listPages: async ({ file }: { file: SourceFile }) => {
      drawn.push(`list ${file.path}`);
      if (fail !== undefined) throw fail;
      return list;
    },
    drawPage: async ({ file, page }: { file: SourceFile; page: number }) => {
      drawn.push(`draw ${page} of ${file.path} as ${file.format}`);
      await new Promise((resolve) => setImmediate(resolve));
      if (fail !== undefined) throw fail;
      return page === 1 ? Buffer.from('picture') : null;
    },
    markPicture: async ({ picture }: { picture: Buffer }) => Buffer.concat([Buffer.from('marked '), picture]),
  };
  const limits = { maxInflatedBytes: 0, maxArchiveEntries: 0, maxArchiveRatio: 0, maxArchiveDepth: 0 };
  return new PagePictures({
    cache,
    drawing: new PageDrawing({ store, cache, sandbox, limits, maxPixels: 1e6 }),
    sandbox,
    now: () => now,
    observe: (outcome) => outcomes.push(outcome),
    onNotStored: (error) => {
      throw error;
    },
  });
}

const failureOf = async (request: Promise<unknown>): Promise<unknown> =>
  request.then(
    () => 'answered',
    (error: { status: number; details: { type: string; ctx?: unknown }[] }) => [
      error.status,
      error.details[0]?.type,
      error.details[0]?.ctx,
    ],
  );

test('concurrent requests for a page draw it once, and later ones read what was stored', async () => {
  const service = pictures();
  await Promise.all(Array.from({ length: 20 }, () => service.picture(source('pdf'), { ...whole, page: 1 })));
  await service.picture(source('pdf'), { ...whole, page: 1 });
  await pictures().picture(source('pdf'), { ...whole, page: 1 });
  expect([drawn, outcomes]).toEqual([['draw 1 of a/original as pdf'], ['drawn', 'stored', 'stored']]);
});

test('marked pictures are made from the stored page and have tags of their own', async () => {
  const service = pictures();
  const request = { ...whole, page: 1, mark: true, boxes: [[0, 0, 1, 0.5]] as [number, number, number, number][] };
  const marked = await service.picture(source('pdf'), request);
  expect(await marked.open()).toEqual(Buffer.from('marked picture'));
  expect(drawn).toHaveLength(1);
  const tags = [
    marked.etag,
    service.tag(source('pdf'), { ...request, mark: false }),
    service.tag(source('pdf'), { ...whole, page: 1 }),
  ];
  expect(new Set(tags).size).toBe(3);
});

test('a page that takes too long or too much memory is not tried again for ten minutes', async () => {
  for (const type of ['timeout', 'too_large', 'parser_crashed', 'corrupt', 'encrypted'] as const) {
    const service = pictures();
    const page = () => failureOf(service.picture(source('pdf'), { ...whole, page: 1 }));
    drawn = [];
    fail = new ContentError(type, 'It failed');
    const answer = [404, 'no_picture', { reason: type }];
    expect([await page(), await page(), drawn.length]).toEqual([answer, answer, 1]);
    now += 11 * MINUTE_MS;
    expect([await page(), drawn.length]).toEqual([answer, 2]);
  }
});

test('a failure of the machine is passed on and tried again', async () => {
  const service = pictures();
  fail = new Error('the disk is full');
  await expect(service.picture(source('pdf'), { ...whole, page: 1 })).rejects.toThrow('the disk is full');
  fail = undefined;
  expect((await service.picture(source('pdf'), { ...whole, page: 1 })).contentType).toBe('image/webp');
});

test('an office file is converted once, and its pages are drawn from the stored PDF', async () => {
  list = { pages: [{ page: 1, width: 595, height: 842 }], pdf: Buffer.from('%PDF') };
  const service = pictures();
  await service.picture(source('docx'), { ...whole, page: 1 });
  await service.picture(source('docx'), { ...whole, page: 1, width: 400 });
  expect(drawn).toEqual([
    'list a/original',
    'draw 1 of page-pictures/a/converted.pdf as pdf',
    'draw 1 of page-pictures/a/converted.pdf as pdf',
  ]);
  drawn = [];
  // Without room for the PDF, the sandbox converts the original for each picture.
  store.objects.delete('page-pictures/a/converted.pdf');
  await pictures(0).picture(source('docx'), { ...whole, page: 1, width: 500 });
  expect(drawn).toEqual(['list a/original', 'draw 1 of a/original as docx']);
});

test('an office file without LibreOffice, a format without pages and a page that does not exist answer 404', async () => {
  list = null;
  const unsupported = [404, 'no_picture', { reason: 'unsupported' }];
  expect(await failureOf(pictures().pages(source('docx')))).toEqual(unsupported);
  expect(await failureOf(pictures().picture(source('docx'), { ...whole, page: 1 }))).toEqual(unsupported);
  expect(await failureOf(pictures().pages(source('markdown')))).toEqual(unsupported);
  expect(await failureOf(pictures().picture(source('pdf'), { ...whole, page: 2 }))).toEqual([
    404,
    'not_found',
    undefined,
  ]);
});
