// large: starts a browser and kills services
/** Answers and uploads over a reload of the page and the sudden end of the service. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Quire } from '@quire/client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChatProvider, type ChatProvider, type Said } from '../../chat-provider.ts';
import { removeDirectory, startService, type ServiceProcess } from '../../service-process.ts';
import { launchBrowser, openConsole, type ConsolePage } from '../browser.ts';
import { describeProof } from './proof.ts';

const TEXT = '# Hours\n\nThe library is open from nine to five. On Thursdays it closes at eight.\n';
const FILES = 12;

/** A part of the page, as functions see it that run in the browser. */
interface Part {
  textContent: string;
  remove(): void;
  cloneNode(deep: boolean): Part;
  querySelectorAll(selector: string): Iterable<Part>;
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
}

describeProof('reload and kill', () => {
  let service: ServiceProcess;
  let browser: Browser;
  let provider: ChatProvider;
  let answer: () => readonly Said[];
  let quire: Quire;
  let ws: string;
  let collectionId: string;
  let chatId: string;
  let key: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    provider = await startChatProvider(({ messages }) =>
      messages.some(({ role }) => role === 'tool') ? answer() : [{ search: 'library' }],
    );
    env = { QUIRE_PORT: await freePort(), QUIRE_ALLOW_PRIVATE_NETWORK: '127.0.0.1' };
    [service, browser] = await Promise.all([startService({ env }), launchBrowser()]);
    const root = new Quire({ url: service.address, key: service.rootKey });
    ({ id: ws } = await root.workspaces.create({ name: 'Proofs' }));
    ({ key } = await root.workspace(ws).keys.create({ name: 'Console', permission: 'admin' }));
    quire = new Quire({ url: service.address, key, retries: 8 });
    ({ id: collectionId } = await quire.collections.create({ name: 'Library' }));
    await quire
      .collection(collectionId)
      .documents.upload(new File([TEXT], 'hours.md'))
      .ready();
    const { id: modelId } = await quire.models.create({
      name: 'M',
      config: { provider: 'provider_a', model: 'm', baseUrl: provider.baseUrl } as never,
    });
    ({ id: chatId } = await quire.chats.create({ collection_id: collectionId, modelId }));
  });
  afterAll(async () => {
    await browser?.close();
    await service?.kill();
    await provider?.close();
    if (service !== undefined) removeDirectory(service.dataDir);
  });

  const open = (path: string): Promise<ConsolePage> =>
    openConsole(browser, service.address, `/w/${ws}${path}#key=${key}`);
  const restart = async (): Promise<void> => {
    await service.kill();
    service = await startService({ dataDir: service.dataDir, rootKey: service.rootKey, env });
  };
  const ask = async (page: Page, question: string): Promise<void> => {
    await page.getByLabel('Question').fill(question);
    await page.keyboard.press('Enter');
    await page.getByText('The first part.').last().waitFor();
    // Each sentence that is complete is announced.
    await page.locator('[aria-live=polite]').getByText('The first part.').waitFor({ state: 'attached' });
  };
  /** Texts of the answers as the page shows them, without the chips of sources. */
  const shown = async (page: Page): Promise<string[]> => {
    const articles = await page.getByRole('article', { name: 'Answer' }).all();
    const texts = articles.map((article) =>
      article.locator('.answer').evaluateAll((answers) =>
        (answers as unknown as Part[]).map((answer) => {
          const copy = answer.cloneNode(true);
          for (const button of copy.querySelectorAll('button')) button.remove();
          return copy.textContent.trim();
        }),
      ),
    );
    return (await Promise.all(texts)).map((each) => each.join('\n'));
  };
  const stored = async (): Promise<string[]> => {
    const messages = await quire.chat(chatId).history().all();
    return messages
      .filter(({ role }) => role === 'assistant')
      .map(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text.trim()] : [])).join('\n'));
  };

  test('a page that is reloaded in mid-stream, and a second one, end with the answer of the history', async () => {
    let go: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    answer = () => ['The first part. ', { wait: gate }, 'The second part.'];
    const first = await open(`/chat/${chatId}`);
    await ask(first.page, 'How is it going on?');
    await first.page.reload();
    const second = await open(`/chat/${chatId}`);
    for (const { page } of [first, second]) await page.getByText('The first part.').first().waitFor();
    expect(await second.page.getByRole('button', { name: 'Stop' }).count()).toBe(1);
    go();
    for (const { page } of [first, second]) {
      await page.getByRole('button', { name: 'Ask' }).waitFor();
      await page.getByRole('article', { name: 'Answer' }).last().locator('footer').waitFor();
      expect(await shown(page)).toEqual(await stored());
      await page.context().close();
    }
    expect([first.faults, second.faults]).toEqual([[], []]);
  });

  test('after the sudden end of the service in mid-stream the page shows the history', async () => {
    answer = () => ['The first part. ', { wait: new Promise(() => undefined) }];
    const console = await open(`/chat/${chatId}`);
    const { page } = console;
    await ask(page, 'And what comes after the end of the service?');
    await restart();
    await page.getByRole('article', { name: 'Answer' }).last().locator('footer').waitFor({ timeout: 300_000 });
    expect(await shown(page)).toEqual(await stored());
    await page.context().close();
  });

  test('after the sudden end of the service in mid-upload the queue and the list say the truth', async () => {
    const console = await open(`/collections/${collectionId}`);
    const { page } = console;
    const size = 3_000_000;
    const files = Array.from({ length: FILES }, (_, index) => ({
      name: `part-${index}.md`,
      mimeType: 'text/markdown',
      buffer: Buffer.from(`# Part ${index}\n\n${`Sentence ${index} of the part. `.repeat(size / 24)}`),
    }));
    // The files go through the debugger, which takes long on a busy machine.
    await page.getByLabel('Files', { exact: true }).setInputFiles(files, { timeout: 300_000 });
    await page.getByText(/^Sending [2-9] of/).waitFor();
    await restart();
    const uploads = page.getByRole('region', { name: 'Uploads' });
    await uploads.getByText(/^Sending/).waitFor({ state: 'detached', timeout: 300_000 });
    const again = uploads.getByRole('button', { name: /^Send .* again$/ });
    if ((await again.count()) > 0) await again.click();
    await uploads.getByText(new RegExp(`^${FILES} ready$`)).waitFor({ timeout: 300_000 });
    const list = await quire.collection(collectionId).documents.list().all();
    expect(list.map(({ name, status }) => `${name} ${status}`).toSorted()).toEqual(
      ['hours.md', ...files.map(({ name }) => name)].map((name) => `${name} ready`).toSorted(),
    );
    await page.reload();
    for (const { name } of files) await page.getByRole('row').filter({ hasText: name }).getByText('ready').waitFor();
    await page.context().close();
  });
});
