// large: starts a browser
/** Runs the page of the README of diffcp unchanged in a real browser, against a running service. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { CHROMIUM } from './chromium.ts';
import { createChat, createCollection, createDocument, createWorkspace, shareChats } from './factories.ts';
import { startTestService } from './server.ts';

const diffcp = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..', 'diffcp');

/** Delays the load of the page, after which the browser prints it, until the answer is complete. */
const UNTIL_DONE = `<img src="/pending.png"><script>
  const timer = setInterval(() => document.title === 'done' && (clearInterval(timer), fetch('/finished')), 20);
</script>`;

const page = /```html\n([^]*?)```/u.exec(readFileSync(path.join(diffcp, 'README.md'), 'utf8'))?.[1] ?? '';

test('the page is short', () => {
  expect(page.trim().split('\n').length).toBeLessThan(60);
});

test.skipIf(CHROMIUM === undefined)('the page shows an answer with its citations as it is streamed', async () => {
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const serve = async (url: string): Promise<string | Buffer> => {
    if (url === '/chat.html') return page + UNTIL_DONE;
    if (url === '/finished') finish();
    if (url === '/pending.png') await finished;
    const file = path.join(diffcp, path.normalize(url));
    return file.endsWith('.js') && existsSync(file) ? readFileSync(file) : '';
  };
  const files = createServer((request, response) => {
    response.setHeader('content-type', request.url === '/chat.html' ? 'text/html' : 'text/javascript');
    void serve(request.url ?? '/').then((content) => response.end(content));
  }).listen(0, '127.0.0.1');
  await once(files, 'listening');
  const origin = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
  const profile = await mkdtemp(path.join(tmpdir(), 'quire-browser-'));
  const service = await startTestService({ QUIRE_CORS_ORIGINS: origin });
  try {
    const workspace = await createWorkspace(service);
    const library = await createCollection(service, workspace);
    const content = '# Opening hours\n\nThe library is open from nine to five. On Thursdays it closes at eight.';
    await createDocument(service, library, { name: 'hours.md', content });
    await shareChats(service, workspace);
    const chat = await createChat(service, workspace, { collection_id: library.id });
    const query = 'When does the library close on Thursdays?';
    const hash = new URLSearchParams({
      url: `${service.address}${chat.url}`,
      key: workspace.admin,
      query,
    }).toString();
    const { stdout } = await promisify(execFile)(CHROMIUM ?? '', [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      // The browser gets a separate profile and does not need /dev/shm, which is small in containers.
      `--user-data-dir=${profile}`,
      '--disable-dev-shm-usage',
      '--dump-dom',
      `${origin}/chat.html#${hash}`,
    ]);
    expect(stdout).toContain('<title>done</title>');
    expect(stdout).toContain(`<p class="tool">retrieve: ${query} (1)</p>`);
    expect(stdout).toMatch(
      /<p class="text">\*\*eight\*\*\s+Opening hours: .*On Thursdays it closes at eight\. \[\d\]/u,
    );
    expect(stdout).toMatch(/<li class="">“On Thursdays it closes at eight\.” \(hours\.md\)<\/li>/u);
  } finally {
    files.close();
    await service.stop();
    await rm(profile, { recursive: true, force: true, maxRetries: 10 });
  }
});
