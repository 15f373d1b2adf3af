// large: starts a browser
/** Texts that would do harm as markup, in every place that shows a text of others. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startChatProvider, type ChatProvider } from '../../chat-provider.ts';
import { createChat, createCollection, createDocument } from '../../factories.ts';
import type { ConsoleTests } from '../with-console.ts';
import { proveInConsole } from './proof.ts';

const SCRIPTS = [
  '<img src=x onerror="globalThis.harm=1">',
  '<script>globalThis.harm=1</script>',
  '<svg/onload=globalThis.harm=1>',
  '"><iframe srcdoc="<script>parent.harm=1</script>">',
  "javascript:globalThis.harm=1//'",
  '{{constructor.constructor("globalThis.harm=1")()}}',
];
const ANSWER = [
  ...SCRIPTS,
  '[a link](javascript:globalThis.harm=1) [another](data:text/html,<script>globalThis.harm=1</script>)',
  '![picture](https://elsewhere.example/pixel.png) <https://elsewhere.example/>',
].join('\n\n');

let provider: ChatProvider;
let collection: { id: string; url: string };
const documents: string[] = [];
let chatId = '';

async function prepare({ service, workspace }: ConsoleTests): Promise<void> {
  provider = await startChatProvider(() => [{ reasoning: ANSWER }, ANSWER]);
  collection = await createCollection(service, workspace, { name: SCRIPTS[0], description: SCRIPTS[1] });
  for (const [index, script] of SCRIPTS.entries()) {
    const rows = SCRIPTS.map((each) => `${each.replaceAll(',', ' ')},2`).join('\n');
    const shapes = [
      { name: `${script} ${index}.md`, content: `# ${script}\n\nA needle. ${script}\n`, contentType: 'text/markdown' },
      { name: `${script} ${index}.csv`, content: `needle,count\n${rows}\n`, contentType: 'text/csv' },
    ];
    for (const shape of shapes) {
      const fields = { ...shape, metadata: { [script]: script, list: SCRIPTS } };
      documents.push((await createDocument(service, collection, fields)).id);
    }
  }
  const config = { provider: 'provider_a', model: 'm', baseUrl: provider.baseUrl };
  const model = await service.call<{ id: string }>('POST', `${workspace.url}/config/models`, {
    json: { name: SCRIPTS[2], config },
  });
  expect(model.status).toBe(201);
  const chat = await createChat(service, workspace, {
    title: SCRIPTS[0],
    collection_id: collection.id,
    modelId: model.data.id,
  });
  chatId = chat.id;
  expect((await service.call('POST', `${chat.url}/message`, { json: { query: SCRIPTS.join(' ') } })).status).toBe(200);
}

/** Nothing of the texts became an element or ran, and no link leads to a script. */
async function expectInert(page: Page): Promise<void> {
  await page.locator('.skeleton, [aria-busy=true]').first().waitFor({ state: 'detached' });
  expect(await page.evaluate('globalThis.harm')).toBe(undefined);
  expect(await page.locator('iframe, img[onerror], svg[onload], body script').count()).toBe(
    await page.locator('body > script[src]').count(),
  );
  const links = await page.evaluate<string[]>('[...document.links].map(({ protocol }) => protocol)');
  expect(links.filter((protocol) => !/^https?:$/.test(protocol))).toEqual([]);
}

proveInConsole(
  'hostile texts',
  (tests) => {
    test('stay texts in names, metadata, cells, headings, chunks, hits and answers', async () => {
      const shown = await tests.open('/collections');
      const { page } = shown;
      const go = async (path: string, text: string): Promise<void> => {
        await page.goto(`${tests.service.address}/w/${tests.workspace.id}${path}`);
        await page.getByText(text).filter({ visible: true }).first().waitFor();
        await expectInert(page);
      };
      const at = `/collections/${collection.id}`;
      await go('/collections', SCRIPTS[0]!);
      await go(at, SCRIPTS[1]!);
      for (const id of documents) {
        await go(`${at}/documents/${id}`, 'needle');
        await go(`${at}/documents/${id}?pane=details`, 'SHA-256');
        await go(`${at}/documents/${id}?pane=markdown`, 'needle');
      }
      await go('/search?q=needle', 'needle');
      await go('/chat', SCRIPTS[0]!);
      await go(`/chat/${chatId}`, 'a link');
      for (const each of await page.getByText('Reasoning').all()) await each.click();
      await expectInert(page);
      await go('/configurations', SCRIPTS[2]!);
      await go('/audit', 'createChat');
      await tests.close(shown);
    });
  },
  { settings: { QUIRE_ALLOW_PRIVATE_NETWORK: '127.0.0.0/8' }, prepare, end: () => provider?.close() },
);
