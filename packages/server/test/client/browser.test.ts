// large: starts a browser
/** The client's bundle in a real Chromium, on a page of another origin than the service. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Quire } from '@quire/client';
import type { Browser, Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, startChromium } from '../chromium.ts';
import { createCollection, createWorkspace } from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';
import type { Access, program } from './browser-program.ts';

const packages = fileURLToPath(new URL('../../../', import.meta.url));
const HOURS = '# Opening hours\n\nThe library is open from nine to five. On Thursdays it closes at eight.';

const BUNDLE_PAGE = '<!doctype html><script src="/program.js"></script>';
/** Loads the modules as they are published, without a bundler. */
const MODULES_PAGE = `<!doctype html><script type="importmap">
  { "imports": { "@quire/client": "/client/dist/index.js", "@quire/diffcp": "/diffcp/dist/index.js" } }
</script><script type="module">import * as client from '@quire/client'; globalThis.client = client;</script>`;

async function bundleProgram(): Promise<string> {
  const input = fileURLToPath(new URL('browser-program.ts', import.meta.url));
  const bundle = await rolldown({ input, platform: 'browser' });
  const { output } = await bundle.generate({ format: 'iife', name: 'tests', minify: true });
  await bundle.close();
  return output[0].code;
}

async function servePages(): Promise<Server> {
  const code = await bundleProgram();
  const contentOf = async (url: string): Promise<[string, string]> => {
    if (url === '/bundle') return ['text/html', BUNDLE_PAGE];
    if (url === '/modules') return ['text/html', MODULES_PAGE];
    if (url === '/program.js') return ['text/javascript', code];
    return ['text/javascript', await readFile(path.join(packages, path.normalize(url)), 'utf8').catch(() => '')];
  };
  const server = createServer((request, response) => {
    void contentOf(request.url ?? '/').then(([type, content]) => {
      response.setHeader('content-type', `${type}; charset=utf-8`);
      response.end(content);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe.skipIf(CHROMIUM === undefined)('in Chromium (skipped if it is not installed)', () => {
  let pages: Server;
  let origin: string;
  let service: TestService;
  let browser: Browser;
  let page: Page;
  let access: Access;

  beforeAll(async () => {
    pages = await servePages();
    origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
    [service, browser] = await Promise.all([startTestService({ QUIRE_CORS_ORIGINS: origin }), startChromium()]);
    const workspace = await createWorkspace(service);
    const { id } = await createCollection(service, workspace, { name: 'Library' });
    access = { url: service.address, key: workspace.admin, collectionId: id };
    page = await browser.newPage();
    await page.goto(`${origin}/bundle`);
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
    pages.close();
  });

  type Program = typeof program;
  /** Runs a part of the program in the page. */
  const inPage = <Part extends keyof Program>(part: Part, ...input: string[]): ReturnType<Program[Part]> =>
    page.evaluate(
      ([name, given, rest]) => {
        const { tests } = globalThis as unknown as {
          tests: { program: Record<string, (...args: unknown[]) => unknown> };
        };
        return tests.program[name]?.(given, ...rest);
      },
      [part, access, input] as const,
    ) as ReturnType<Program[Part]>;

  test('a file of the page is uploaded with progress, and found', async () => {
    const { sent, ...document } = await inPage('upload', HOURS);
    expect(document).toEqual({ name: 'hours (ä).md', status: 'ready' });
    expect(sent.at(-1)).toBe(HOURS.length);
    expect(await inPage('search', 'Thursdays')).toEqual(['hours (ä).md']);
  });

  test('of several files each content is uploaded once', async () => {
    expect(await inPage('uploadMany')).toEqual(['0.txt uploaded', '1.txt uploaded', '2.txt duplicate']);
  });

  test('an answer is read as it is streamed, with its citations', async () => {
    const { states, last, message, stored, streamed } = await inPage(
      'ask',
      'When does the library close on Thursdays?',
    );
    expect(states).toBeGreaterThan(1);
    expect(message.citations.map(({ snippet }) => snippet)).toContain('On Thursdays it closes at eight.');
    const texts = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    expect([last, stored, texts]).toEqual([message, message, streamed]);
  });

  test('events are followed, and continue after the last one that was seen', async () => {
    const { live, again } = await inPage('followUpload');
    expect(live.at(-1)).toMatch(/^document .* ready$/);
    // Intermediate states are left out of what was missed.
    expect(again.at(-1)).toBe(live.at(-1));
  });

  test('the error of an unknown document has its type and the id of the request', async () => {
    expect(await inPage('fail')).toEqual({
      type: 'not_found',
      status: 404,
      requestId: expect.stringMatching(/\S{8,}/),
    });
  });

  test('the published modules load without a bundler', async () => {
    const plain = await browser.newPage();
    await plain.goto(`${origin}/modules`);
    const permission = await plain.evaluate(async ({ url, key }) => {
      const { client } = globalThis as unknown as { client: { Quire: typeof Quire } };
      return (await new client.Quire({ url, key }).whoami()).permission;
    }, access);
    expect(permission).toBe('admin');
    await plain.close();
  });
});
