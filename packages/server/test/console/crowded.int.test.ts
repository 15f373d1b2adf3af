// large: starts a browser
/** The console with much to show: many chats on a phone, messages over buttons, records with equal names. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createChat, createCollection, createDocument } from '../factories.ts';
import { withConsole } from './with-console.ts';

const PHONE = { viewport: { width: 360, height: 640 } };

let collection: { id: string; url: string };
let lease: string;

/** Returns the buttons, links and fields in view whose middle a message covers. */
const coveredControls = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const controls = [...document.querySelectorAll('button, a[href], input, select, textarea')];
    const atMiddle = (element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return document.elementFromPoint(left + width / 2, top + height / 2);
    };
    const covered = controls.filter((each) => atMiddle(each)?.closest('[data-toast]') && !each.closest('[data-toast]'));
    // What has scrolled out of view is behind the messages too.
    const messages = document.querySelectorAll('[data-toast]');
    for (const message of messages) message.parentElement.style.visibility = 'hidden';
    const seen = covered.filter((each) => each.contains(atMiddle(each)));
    for (const message of messages) message.parentElement.style.visibility = '';
    return seen.map((each) => each.textContent || each.getAttribute('aria-label') || each.tagName);
  })()`);

withConsole(
  'a crowded console',
  (tests) => {
    test('forty chats leave the question and the choice of the collection usable on a phone', async () => {
      const shown = await tests.open('/chat', undefined, PHONE);
      const { page } = shown;
      await page.getByRole('link', { name: 'Chat 40' }).waitFor();
      for (const control of [
        page.getByLabel('Collection'),
        page.getByLabel('Question'),
        page.getByRole('button', { name: 'Ask' }),
      ]) {
        const box = (await control.boundingBox())!;
        expect([box.width > 40, box.height > 20, box.y >= 0, box.y + box.height <= 640]).toEqual([
          true,
          true,
          true,
          true,
        ]);
      }
      await page.getByLabel('Collection').selectOption({ label: 'Second' });
      await page.getByLabel('Question').fill('Where is the heron?');
      await page.getByRole('link', { name: 'Chat 1', exact: false }).last().scrollIntoViewIfNeeded();
      await page.getByRole('button', { name: 'Ask' }).click();
      await page.getByRole('article', { name: 'Answer' }).waitFor();
      await tests.finish(shown);
    });

    test.each([
      ['a desktop', {}],
      ['a phone', PHONE],
    ])('messages cover no button on %s, and go away without a trace', async (_, size) => {
      const shown = await tests.open(`/collections/${collection.id}/documents/${lease}`, undefined, size);
      const { page } = shown;
      const json = { detail: [{ loc: [], msg: 'The document is deleted', type: 'deleted' }] };
      await page.route(/\/links$/, (route) => route.fulfill({ status: 409, json }));
      const download = page.getByRole('button', { name: 'Original' });
      const messages = page.locator('[data-toast]');
      for (let count = 1; count <= 2; count += 1) {
        await download.dispatchEvent('click');
        await expect.poll(() => messages.count()).toBe(count);
        // Messages stay while the pointer is over them.
        await messages.first().hover();
      }
      await expect.poll(() => coveredControls(page)).toEqual([]);
      const link = page.locator(`a[href$="/w/${tests.workspace.id}/chat"]`).first();
      await link.dispatchEvent('click');
      await page.getByLabel('Question').waitFor();
      expect(await messages.count()).toBe(2);
      await expect.poll(() => coveredControls(page)).toEqual([]);
      const height = async (): Promise<number> => {
        const box = (await page.getByRole('main').boundingBox())!;
        return Math.round(box.y + box.height);
      };
      expect(await height()).toBeLessThan(page.viewportSize()!.height - 100);
      await page.mouse.move(5, 5);
      await expect.poll(() => messages.count(), { timeout: 60_000 }).toBe(0);
      await expect.poll(height).toBe(page.viewportSize()!.height);
      await tests.close(shown);
    });

    test('equal names in the palette show their collection', async () => {
      const shown = await tests.open('/keys');
      const { page } = shown;
      await page.getByRole('heading', { name: 'Keys and tokens' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('lease');
      await page.getByRole('option', { name: 'lease.md First Documents' }).waitFor();
      await page.getByRole('option', { name: 'lease.md Second Documents' }).waitFor();
      await page.getByRole('option', { name: 'lease-2.md Documents' }).waitFor();
      await page.getByRole('option', { name: 'Lease questions First Chats' }).waitFor();
      await page.getByRole('option', { name: 'Lease questions Second Chats' }).waitFor();
      await tests.finish(shown);
    });
  },
  {
    prepare: async ({ service, workspace }) => {
      collection = await createCollection(service, workspace, { name: 'First' });
      const second = await createCollection(service, workspace, { name: 'Second' });
      for (const each of [second, collection]) {
        lease = (await createDocument(service, each, { name: 'lease.md', content: 'The heron stands in the reeds.' }))
          .id;
        await createChat(service, workspace, { title: 'Lease questions', collection_id: each.id });
      }
      await createDocument(service, collection, { name: 'lease-2.md', content: 'A second lease.' });
      for (let at = 1; at <= 40; at += 1)
        await createChat(service, workspace, { title: `Chat ${at}`, collection_id: collection.id });
    },
  },
);
