// large: starts a browser
/** The way of a file through the console: upload, states, pages with marks, search, a cited answer. */
import { makePdf, TestPage } from '@quire/parse/formats/pdf/testing/make-pdf';
import pg from 'pg';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createCollection, createDocument, createKey } from '../factories.ts';
import { expectAccessible } from './browser.ts';
import { withConsole } from './with-console.ts';

const HOSTILE = '<img src=x onerror=alert(1)>.md';
const HOSTILE_SENT = '<img src=y onerror=alert(2)>.md';
const TEXT = '# Opening hours\n\nThe library is open from nine to five. On Thursdays it closes at eight.\n';
const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="300"><rect width="600" height="300" fill="#fff"/></svg>`;

/** Holds requests until it is opened. */
class Gate {
  open: () => void = () => undefined;
  readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });
}

/** Holds `HOSTILE` before the first test. */
let collection: { id: string; url: string };

withConsole(
  'documents in the console',
  (tests) => {
    const documentRow = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

    test('files are sent, their states are shown as they change, and failures have a reason and a remedy', async () => {
      const { id } = await createCollection(tests.service, tests.workspace, { name: 'Sent' });
      const console = await tests.open(`/collections/${id}`);
      const { page } = console;
      await page.getByText('No documents yet').waitFor();
      await page.getByLabel('Files', { exact: true }).setInputFiles([
        { name: HOSTILE_SENT, mimeType: 'text/markdown', buffer: Buffer.from('A text that no other test reads.') },
        { name: 'blank.html', mimeType: 'text/html', buffer: Buffer.from('<html><body></body></html>') },
        { name: 'plan.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(PICTURE) },
      ]);
      // The queue outlives the page that began it.
      await page.getByRole('link', { name: 'Collections' }).first().click();
      await page.getByText('2 ready, 1 failed').waitFor();
      await page.goBack();
      await documentRow(page, HOSTILE_SENT).getByText('ready').waitFor();
      await documentRow(page, 'blank.html').getByText('No text').waitFor();
      await page.getByRole('button', { name: 'Close the list' }).click();
      await page.getByRole('link', { name: /^Failed/ }).click();
      await page.getByText('For scans in another script').waitFor();
      // The rows of all documents stay until those of the filter are read.
      await expect.poll(() => page.getByRole('row').count()).toBe(2);
      await expectAccessible(page);
      await tests.close(console);
    });

    test('states are right although the events begin late and an upload is answered after its document is ready', async () => {
      const console = await tests.open('/collections');
      const { page } = console;
      const { id, url } = await createCollection(tests.service, tests.workspace, { name: 'Late' });
      const [events, answer] = [new Gate(), new Gate()];
      await page.route('**/events', async (route) => {
        await events.opened;
        await route.continue();
      });
      await page.route('**/docs/**', async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        const response = await route.fetch();
        if (route.request().postData()?.includes('second') === true) await answer.opened;
        return route.fulfill({ response });
      });
      const ready = (count: number): Promise<void> =>
        expect
          .poll(async () => (await tests.service.call('GET', `${url}/docs?status=ready`)).data['total'], {
            timeout: 60_000,
          })
          .toBe(count);
      await page.goto(`${tests.service.address}/w/${tests.workspace.id}/collections/${id}`);
      const files = page.getByLabel('Files', { exact: true });
      await files.setInputFiles({ name: 'first.md', mimeType: 'text/markdown', buffer: Buffer.from(TEXT) });
      await ready(1);
      events.open();
      await page.getByRole('heading', { name: '1 ready', exact: true }).waitFor();
      await documentRow(page, 'first.md').getByText('ready').waitFor();
      await files.setInputFiles({ name: 'second.md', mimeType: 'text/markdown', buffer: Buffer.from('second') });
      await ready(2);
      await documentRow(page, 'second.md').getByText('ready').waitFor();
      answer.open();
      await page.getByRole('heading', { name: '2 ready', exact: true }).waitFor();
      await tests.close(console);
    });

    test('a search leads to the words in the document, and the chunk shows its terms', async () => {
      const console = await tests.open('/search');
      const { page } = console;
      await page
        .getByRole('searchbox', { name: 'What to search for' })
        .fill('When does the library close on Thursdays?');
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: HOSTILE }).waitFor();
      await page.locator('mark').first().waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Tab');
      await page.getByRole('link', { name: HOSTILE }).click();
      await page.getByRole('heading', { name: 'Chunk 1' }).waitFor();
      await page.getByText('Terms by weight').waitFor();
      const text = page.getByRole('region', { name: 'Text' });
      expect(await text.textContent()).toContain('it closes at eight');
      // The block under the pointer, in the text or by its chunk.
      const hovered = page.locator('[data-block][data-hovered]');
      const block = text.locator('[data-block]').filter({ hasText: 'it closes at eight' }).last();
      const heading = text.getByRole('heading').first();
      await heading.hover();
      await hovered.and(heading).waitFor();
      await page.getByRole('list', { name: 'Chunks' }).getByRole('button').first().hover();
      await hovered.and(block).waitFor();
      await expectAccessible(page);
      await tests.close(console);
    });

    test('an answer is streamed with sources, which stay after a reload', async () => {
      const console = await tests.open(`/chat?in=${collection.id}`);
      const { page } = console;
      await page.getByLabel('Question').fill('When does the library close on Thursdays?');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Source 1' }).click();
      const source = page.getByRole('complementary', { name: 'Source' });
      await source.getByText('On Thursdays it closes at eight.').waitFor();
      await expectAccessible(page);
      await page.reload();
      await source.getByText('On Thursdays it closes at eight.').waitFor();
      expect(await page.getByRole('article', { name: 'Answer' }).count()).toBe(1);
      await page.getByRole('button', { name: 'Source 1' }).hover();
      await page.locator('[data-preview="1"]').getByText('On Thursdays it closes at eight.').waitFor();
      await page.getByRole('button', { name: 'Rename' }).click();
      await page.getByLabel('Title').fill('Opening hours');
      await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
      await page.getByRole('heading', { name: 'Opening hours', level: 1 }).waitFor();
      await page.getByRole('button', { name: 'Delete this chat' }).click();
      await page.getByRole('button', { name: 'Delete the chat' }).click();
      await page.getByRole('heading', { name: 'Ask your documents' }).waitFor();
      await page.getByRole('link', { name: 'Opening hours' }).waitFor({ state: 'detached' });
      await tests.close(console);
    });

    test('a question that is sent while the answer before it is read from the history stays and is answered', async () => {
      const shown = await tests.open(`/chat?in=${collection.id}`);
      const { page } = shown;
      const question = page.getByLabel('Question');
      await question.fill('When does the library close on Thursdays?');
      const [history, message] = [new Gate(), new Gate()];
      let [histories, isHolding] = [0, false];
      await page.route(/\/history\?/, async (route) => {
        histories += 1;
        if (isHolding) await history.opened;
        await route.continue();
      });
      await page.keyboard.press('Enter');
      await expect.poll(() => histories).toBeGreaterThan(0);
      const before = histories;
      isHolding = true;
      await page.getByRole('button', { name: 'Ask', exact: true }).waitFor();
      await page.getByRole('article', { name: 'Answer' }).locator('footer').waitFor();
      await expect.poll(() => histories).toBeGreaterThan(before);
      await page.route('**/message', async (route) => {
        await message.opened;
        await route.continue();
      });
      await question.fill('When does it open?');
      await page.keyboard.press('Enter');
      const second = page.getByLabel('Messages').getByText('When does it open?');
      await second.waitFor();
      const read = page.waitForResponse(/\/history\?/);
      history.open();
      await (await read).finished();
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
      expect(await second.count()).toBe(1);
      expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(1);
      message.open();
      await expect.poll(() => page.getByRole('article', { name: 'Answer' }).locator('footer').count()).toBe(2);
      await tests.close(shown);
    });

    test('the mark of a hit on the page holds the line with its words and no other line', async () => {
      const lines = ['A paragraph has several lines, and only', 'those with a walrus are marked for', 'readers of it.'];
      const pages = [
        new TestPage(600, 800).text(60, 100, 'A first page.'),
        new TestPage(600, 800).lines(60, 300, lines),
      ];
      const body = makePdf(pages);
      const headers = { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="sea.pdf"' };
      await tests.service.call('POST', `${collection.url}/docs/file-binary?wait=60`, { body, headers });
      const console = await tests.open(`/search?q=walrus&in=${collection.id}`);
      const { page } = console;
      await page.getByRole('link', { name: 'sea.pdf' }).first().click();
      const shown = page.getByRole('figure', { name: 'Page 2' });
      await shown.locator('img').waitFor();
      const frame = (await shown.boundingBox())!;
      const mark = (await shown.locator('rect[data-kind=mark]').first().boundingBox())!;
      expect(await shown.locator('rect[data-kind=mark]').count()).toBe(1);
      // Baselines are 300, 312 and 324 of 800 points from the top.
      const [top, bottom] = [mark.y, mark.y + mark.height].map((y) => ((y - frame.y) / frame.height) * 800);
      expect([top! > 300 && top! < 308, bottom! > 311 && bottom! < 317]).toEqual([true, true]);
      await expectAccessible(page);
      await tests.close(console);
    });

    test('a document in progress shows its stage, its progress and the time by which it ends', async () => {
      const { id } = await createDocument(tests.service, collection, { name: 'slow.md', content: 'A slow text.' });
      const shown = await tests.open(`/collections/${collection.id}`);
      const { page } = shown;
      await documentRow(page, 'slow.md').getByText('ready').waitFor();
      const client = new pg.Client({ connectionString: tests.service.connectionString });
      await client.connect();
      try {
        const deadline = new Date(Date.now() + 600_000);
        // As an attempt that reads a large file leaves it; the trigger of the table reports the change.
        await client.query(
          `update documents set status = 'indexing', stage = 'parsing', progress = 0.4, deadline_at = $2 where id = $1`,
          [id, deadline],
        );
        const row = documentRow(page, 'slow.md');
        await row.getByText('reading').waitFor();
        await row.getByRole('progressbar', { name: 'Progress' }).waitFor();
        expect(await row.getByText(/^ends by/).getAttribute('datetime')).toBe(deadline.toISOString());
        await client.query(`update documents set status = 'ready', stage = null, deadline_at = null where id = $1`, [
          id,
        ]);
        await row.getByText('ready').waitFor();
        await row.getByText(/^ends by/).waitFor({ state: 'detached' });
      } finally {
        await client.end();
      }
      await tests.close(shown);
    });

    test('the old rows stay while those of another filter load', async () => {
      const { id, url } = await createCollection(tests.service, tests.workspace, { name: 'Filtered' });
      for (const name of ['one.md', 'two.md']) await createDocument(tests.service, { url }, { name, content: name });
      const shown = await tests.open(`/collections/${id}`);
      const { page } = shown;
      await documentRow(page, 'one.md').waitFor();
      const answer = new Gate();
      await page.route(/\/docs\?.*name=two/, async (route) => {
        await answer.opened;
        await route.continue();
      });
      await page.getByRole('searchbox', { name: 'Part of the name' }).fill('two');
      await page.locator('table[aria-busy=true]').waitFor();
      expect(await documentRow(page, 'one.md').isVisible()).toBe(true);
      answer.open();
      await documentRow(page, 'one.md').waitFor({ state: 'detached' });
      expect(await documentRow(page, 'two.md').isVisible()).toBe(true);
      await tests.close(shown);
    });

    test('deleted documents are listed apart, and restored ones are found by searches again', async () => {
      const { id, url } = await createCollection(tests.service, tests.workspace, { name: 'Restored' });
      for (const name of ['otters.md', 'herons.md'])
        await createDocument(tests.service, { url }, { name, content: `A note about ${name.slice(0, -3)}.` });
      const found = async (): Promise<string[]> => {
        const json = { collectionIds: [id], query: 'otters herons', mode: 'sparse' };
        const { data } = await tests.service.call<{ hits: { documentName: string }[] }>(
          'POST',
          `${tests.workspace.url}/search`,
          { json },
        );
        return data.hits.map(({ documentName }) => documentName).toSorted();
      };
      expect(await found()).toEqual(['herons.md', 'otters.md']);
      const shown = await tests.open(`/collections/${id}`);
      const { page } = shown;
      await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
      await page.getByRole('button', { name: 'Delete 2' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('No documents yet').waitFor();
      expect(await found()).toEqual([]);
      await page.getByRole('link', { name: 'Deleted' }).click();
      await documentRow(page, 'herons.md').waitFor();
      await page.getByRole('checkbox', { name: 'Select otters.md' }).check();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Restore 1' }).click();
      await page.getByText('Restored 1 document').waitFor();
      await documentRow(page, 'otters.md').waitFor({ state: 'detached' });
      expect(await documentRow(page, 'herons.md').isVisible()).toBe(true);
      await page.getByRole('link', { name: /^All/ }).click();
      await documentRow(page, 'otters.md').getByText('ready').waitFor();
      await expect.poll(found, { timeout: 60_000 }).toEqual(['otters.md']);
      await tests.close(shown);
    });

    test('many documents are restored four at a time, with the progress, and those that failed with their reason', async () => {
      const { service, workspace } = tests;
      const { id, url } = await createCollection(service, workspace, { name: 'Many restored' });
      const names = Array.from({ length: 10 }, (_, index) => `note-${index}.md`);
      const ids = new Map<string, string>();
      for (const name of names) ids.set(name, (await createDocument(service, { url }, { name, content: name })).id);
      for (const each of ids.values()) await service.call('DELETE', `${url}/docs/${each}`);
      const shown = await tests.open(`/collections/${id}?status=deleted`);
      const { page } = shown;
      await documentRow(page, 'note-3.md').waitFor();
      const gate = new Gate();
      let [sent, running, most] = [0, 0, 0];
      await page.route('**/undelete', async (route) => {
        [sent, running] = [sent + 1, running + 1];
        most = Math.max(most, running);
        await gate.opened;
        const response = await route.fetch();
        running -= 1;
        await route.fulfill({ response });
      });
      await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
      await page.getByRole('button', { name: 'Restore 10' }).click();
      await expect.poll(() => running).toBe(4);
      await page.getByText('0 of 10 restored').waitFor();
      // It is erased before its request arrives.
      const erased = await service.call('DELETE', `${url}/docs/${ids.get('note-3.md')}?purge=true`);
      expect(erased.status).toBe(200);
      await expectAccessible(page);
      gate.open();
      const failures = page.getByRole('region', { name: 'Not restored' });
      await failures.getByText('1 document was not restored').waitFor();
      await failures.getByText('note-3.md').waitFor();
      await failures.getByText(/request [0-9a-f-]{36}/).waitFor();
      expect([sent, most]).toEqual([10, 4]);
      await page.getByRole('link', { name: /^All/ }).click();
      for (const name of names.filter((each) => each !== 'note-3.md')) await documentRow(page, name).waitFor();
      await tests.close(shown);
    });

    test('an evaluation says which questions each of two settings wins', async () => {
      const { id, url } = await createCollection(tests.service, tests.workspace, { name: 'Evaluated' });
      const day = 'In the morning we mended the roof, then we drove to the market and bought bread, paint and nails. ';
      const documents = {
        'diary.md': `${day.repeat(4)}A neighbour talked about a walrus. ${day.repeat(4)}`,
        'seals.md': 'Large seals with long tusks rest on the ice of the Arctic.',
        'refunds.md': 'Refunds reach the account of a customer within two weeks.',
      };
      for (const [name, content] of Object.entries(documents))
        await createDocument(tests.service, { url }, { name, content });
      const shown = await tests.open(`/evaluation?in=${id}&a=sparse&b=dense`);
      const { page } = shown;
      await page.getByText('No questions yet').waitFor();
      await page.getByRole('button', { name: 'Add questions' }).click();
      await page
        .getByRole('textbox', { name: 'Questions' })
        // The word is in the diary alone; no word of the second question is in a document.
        .fill('walrus,diary.md\nHow do I get my money back?,refunds.md\nArctic tusks,seals.md');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('button', { name: 'Run 3 questions' }).click();
      const question = (text: string) => page.getByRole('row').filter({ hasText: text });
      await question('walrus').getByText('A wins').waitFor();
      await question('money back').getByText('B wins').waitFor();
      expect(await question('money back').getByRole('cell').nth(2).textContent()).toBe('0.000');
      expect(await question('Arctic tusks').getByText(/wins/).count()).toBe(0);
      await page.getByText('A wins 1, B wins 1, 1 equal').waitFor();
      await tests.finish(shown);
    });

    test('a key for reading sees why it may not add files, and nothing is hidden', async () => {
      const key = await createKey(tests.service, tests.workspace, { permission: 'read' });
      await createDocument(tests.service, collection, { name: 'other.md', content: 'Another text.' });
      const console = await tests.open(`/collections/${collection.id}`, key);
      const { page } = console;
      const button = page.getByRole('button', { name: 'Add files' });
      expect(await button.getAttribute('aria-disabled')).toBe('true');
      await button.focus();
      await page.getByText('This needs a key with the permission “write”; yours has “read”.').waitFor();
      await tests.close(console);
    });
  },
  {
    prepare: async ({ service, workspace }) => {
      collection = await createCollection(service, workspace);
      await createDocument(service, collection, { name: HOSTILE, content: TEXT });
    },
  },
);
