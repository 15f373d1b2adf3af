// large: starts a browser
/** The keys of the console, its focus, and its pages at 400 % zoom and without motion. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createChat, createCollection, createDocument, createRun, shareChats } from '../factories.ts';
import { expectAccessible } from './browser.ts';
import { withConsole } from './with-console.ts';

let collection: { id: string; url: string };

/** Text of the element that has the focus, or its label. */
const focused = (page: Page): Promise<string> =>
  page
    .locator(':focus')
    .first()
    .evaluate((element) => {
      const { textContent, ariaLabel } = element as unknown as { textContent: string; ariaLabel: string | null };
      return ariaLabel ?? textContent;
    });

withConsole(
  'keys of the console',
  (tests) => {
    test('rows are moved through, selected, opened and left, and the list of keys names them', async () => {
      const shown = await tests.open(`/collections/${collection.id}`);
      const { page } = shown;
      await page.getByRole('link', { name: 'c.md' }).waitFor();
      const names = await page.getByRole('row').getByRole('link').allTextContents();
      await page.keyboard.press('j');
      expect(await focused(page)).toBe(names[0]);
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      await page.keyboard.press('k');
      expect(await focused(page)).toBe(names[1]);
      const outline = await page.locator(':focus').evaluate((element) => {
        const { getComputedStyle } = globalThis as unknown as {
          getComputedStyle(of: unknown): { outlineStyle: string };
        };
        return getComputedStyle(element).outlineStyle;
      });
      expect(outline).toBe('solid');
      await page.keyboard.press('x');
      await page.getByText('1 document selected').waitFor();
      expect(await page.getByRole('checkbox', { name: `Select ${names[1]}` }).isChecked()).toBe(true);
      await page.keyboard.press('x');
      await page.getByText('1 document selected').waitFor({ state: 'detached' });
      await page.keyboard.press('?');
      const keys = page.getByRole('dialog', { name: 'Keys' });
      for (const label of ['Next row', 'Select the row', 'Search', 'List of keys'])
        await keys.getByText(label).first().waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await keys.waitFor({ state: 'detached' });
      // The focus is where it was, so that Enter opens the row.
      await expect.poll(() => focused(page)).toBe(names[1]);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: names[1]!, level: 1 }).waitFor();
      await tests.close(shown);
    });

    test('the palette finds pages, documents by name and a search, and the slash leads to the search field', async () => {
      const shown = await tests.open('/keys');
      const { page } = shown;
      await page.getByRole('heading', { name: 'Keys and tokens' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('b.md');
      await page.getByRole('option', { name: 'b.md Documents' }).waitFor();
      await page.getByRole('option', { name: 'Search for “b.md”' }).waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'b.md', level: 1 }).waitFor();
      await page.keyboard.press('/');
      const search = page.getByRole('searchbox', { name: 'What to search for' });
      await search.waitFor();
      await expect.poll(() => focused(page)).toBe('What to search for');
      await page.keyboard.type('walrus');
      await page.keyboard.press('Enter');
      await page.locator('mark').first().waitFor();
      await search.blur();
      await page.keyboard.press(']');
      expect(await focused(page)).toBe('b.md');
      await page.keyboard.press('[');
      await page.keyboard.press('/');
      expect(await focused(page)).toBe('What to search for');
      await tests.close(shown);
    });

    test('chats are made private on the page of keys, and those of other keys disappear', async () => {
      const { service, workspace } = tests;
      const chat = await createChat(service, workspace, { title: 'Of another key', collection_id: collection.id });
      const shown = await tests.open('/chat');
      const { page } = shown;
      await page.getByRole('link', { name: 'Of another key' }).waitFor();
      await page.getByRole('link', { name: 'Keys and tokens' }).click();
      const sharing = page.getByLabel('Who sees a chat');
      await sharing.selectOption('private');
      const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      expect((await saved).status()).toBe(200);
      await expectAccessible(page);
      const listed = page.waitForResponse((response) => response.url().includes('/chat?'));
      await page.getByRole('navigation').getByRole('link', { name: 'Chat', exact: true }).click();
      expect(await (await listed).json()).toMatchObject({ data: { items: [], total: 0 } });
      expect((await service.call('GET', chat.url, { key: workspace.admin })).status).toBe(404);
      await shareChats(service, workspace);
      await tests.close(shown);
    });

    test('the palette finds chats by their title, runs by their files and connectors by their name', async () => {
      const { service, workspace } = tests;
      const chat = await createChat(service, workspace, { title: 'Walrus questions', collection_id: collection.id });
      await createRun(service, workspace, { files: { 'walrus-report.md': 'A walrus.' } });
      const json = {
        name: 'Walrus archive',
        collectionId: collection.id,
        kind: 'object_storage',
        config: {
          bucket: 'walrus',
          endpoint: 'https://storage.invalid',
          accessKeyId: 'example',
          secretAccessKey: 'example-0123456789',
        },
      };
      const connector = await service.call<{ id: string }>('POST', `${workspace.url}/connectors`, { json });
      expect(connector.status).toBe(201);
      const shown = await tests.open('/keys');
      const { page } = shown;
      await page.getByRole('heading', { name: 'Keys and tokens' }).waitFor();
      const lists: string[] = [];
      page.on('request', (request) => {
        const list = /\/w\/[^/]+\/(chat|process|connectors)\?/.exec(request.url())?.[1];
        if (list !== undefined) lists.push(list);
      });
      const open = async (text: string): Promise<void> => {
        await page.keyboard.press('Control+k');
        await page.keyboard.type(text);
      };
      await open('walrus');
      await page.getByRole('option', { name: 'walrus-report.md Runs' }).waitFor();
      await page.getByRole('option', { name: 'Walrus archive Connectors' }).waitFor();
      await page.getByRole('option', { name: 'Walrus questions Chats' }).waitFor();
      // Six keys read each list once.
      expect(lists.toSorted()).toEqual(['chat', 'connectors', 'process']);
      await expectAccessible(page);
      await page.getByRole('option', { name: 'Walrus questions Chats' }).click();
      await page.waitForURL(`**/chat/${chat.id}`);
      await open('walrus-report');
      await page.getByRole('option', { name: 'walrus-report.md Runs' }).click();
      await page.getByRole('region', { name: 'walrus-report.md' }).waitFor();
      await open('walrus arch');
      await page.getByRole('option', { name: 'Walrus archive Connectors' }).click();
      await page.getByRole('heading', { name: 'Walrus archive', level: 1 }).waitFor();
      await tests.close(shown);
    });

    test('a popup keeps the focus between its ends, closes over another, and returns the focus', async () => {
      const shown = await tests.open('/collections');
      const { page } = shown;
      const button = page.getByRole('button', { name: 'New collection' }).first();
      await button.click();
      const dialog = page.getByRole('dialog', { name: 'New collection' });
      await expect.poll(() => dialog.getByLabel('Name', { exact: true }).and(page.locator(':focus')).count()).toBe(1);
      // The page behind it is hidden from assistive technology, and Tab does not reach it.
      expect(await page.getByRole('navigation').count()).toBe(0);
      const last = dialog.getByRole('button', { name: 'Create' });
      const first = dialog.getByRole('button', { name: 'Close' });
      await last.focus();
      await page.keyboard.press('Tab');
      expect(await first.and(page.locator(':focus')).count()).toBe(1);
      await page.keyboard.press('Shift+Tab');
      expect(await last.and(page.locator(':focus')).count()).toBe(1);
      await page.keyboard.press('Control+k');
      const palette = page.getByRole('dialog', { name: 'Palette' });
      await palette.waitFor();
      // As a page does that is drawn after the palette was opened.
      await page.locator('#root button').first().focus();
      await page.keyboard.type('keys');
      expect(await palette.locator('input').inputValue()).toBe('keys');
      await page.keyboard.press('Escape');
      await palette.waitFor({ state: 'detached' });
      await expect.poll(() => last.and(page.locator(':focus')).count()).toBe(1);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(() => button.and(page.locator(':focus')).count()).toBe(1);
      await page.getByRole('navigation', { name: 'Pages' }).waitFor();
      await tests.close(shown);
    });

    test('nothing moves for those who want no motion, and changes of states are announced', async () => {
      const shown = await tests.open(`/collections/${collection.id}`);
      const { page } = shown;
      await page
        .locator('[aria-live=polite]')
        .getByText('3 ready, 0 indexing, 0 failed')
        .waitFor({ state: 'attached' });
      await createDocument(tests.service, collection, { name: 'd.md', content: 'A fourth text.' });
      await page
        .locator('[aria-live=polite]')
        .getByText('4 ready, 0 indexing, 0 failed')
        .waitFor({ state: 'attached' });
      const motion = await page.evaluate<string[]>(`['skeleton', 'animate-pulse'].map((name) => {
        const element = document.createElement('div');
        element.className = name;
        document.body.append(element);
        const { animationDuration, animationIterationCount } = getComputedStyle(element);
        element.remove();
        return animationDuration + ' ' + animationIterationCount;
      })`);
      for (const each of motion) expect(each).toMatch(/^0\.001s(, 0\.001s)? 1(, 1)?$/);
      await tests.close(shown);
    });
  },
  {
    prepare: async ({ service, workspace }) => {
      collection = await createCollection(service, workspace, { name: 'Texts' });
      for (const [name, content] of [
        ['a.md', 'A text about seals.'],
        ['b.md', 'A text about a walrus.'],
        ['c.md', 'A text about whales.'],
      ])
        await createDocument(service, collection, { name: name!, content: content! });
    },
  },
);
