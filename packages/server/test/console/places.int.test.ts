// large: starts a browser
/** Links to a place in a long document open it on its page, with the mark in view. */
import { makePdf, TestPage } from '@quire/parse/formats/pdf/testing/make-pdf';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createCollection } from '../factories.ts';
import { withConsole } from './with-console.ts';

const PAGES = 20;
const PHONE = { viewport: { width: 360, height: 640 } };
const WORDS = 'The walrus crosses the harbour on the eleventh day.';

let collection: { id: string; url: string };
let documentId: string;

/** A document whose pages have three different shapes; page 11 has the words near its lower edge. */
const longPdf = (): Buffer =>
  makePdf(
    Array.from({ length: PAGES }, (_, at) => {
      const [width, height] = (
        [
          [600, 800],
          [800, 600],
          [600, 1000],
        ] as const
      )[at % 3]!;
      const page = new TestPage(width, height).text(60, 80, `Chapter ${at + 1}`, { size: 20, font: 'bold' });
      page.text(60, 120, `A paragraph about lighthouse number ${at + 1} and its keeper.`);
      return at === 10 ? page.text(60, 560, WORDS) : page;
    }),
  );

withConsole(
  'places in a long document',
  (tests) => {
    const label = (page: Page) => page.getByText(/^Page \d+ of 20$/);

    /** Expects that page 11 is shown, with a mark in the visible part of the pages. */
    async function expectMark(page: Page): Promise<void> {
      await expect.poll(() => label(page).textContent()).toBe('Page 11 of 20');
      const mark = page.getByRole('figure', { name: 'Page 11' }).locator('rect[data-kind=mark]').first();
      await mark.waitFor({ state: 'attached' });
      const view = (await page.getByRole('region', { name: 'Pages' }).boundingBox())!;
      const box = (await mark.boundingBox())!;
      expect([box.y >= view.y, box.y + box.height <= view.y + view.height]).toEqual([true, true]);
    }

    /** Returns whether page 11 is one gap, to a pixel, below the upper edge of the pages. */
    async function begins11(page: Page): Promise<boolean> {
      const view = (await page.getByRole('region', { name: 'Pages' }).boundingBox())!;
      const box = (await page.getByRole('figure', { name: 'Page 11' }).boundingBox())!;
      return Math.abs(box.y - view.y - 16) <= 1;
    }

    test.each([
      ['a desktop', {}],
      ['a phone', PHONE],
    ])(
      'a hit of a search opens on its page on %s, also by its address and before the pictures come',
      async (_, size) => {
        const shown = await tests.open(`/search?q=walrus+harbour&in=${collection.id}`, undefined, size);
        const { page } = shown;
        await page.getByRole('link', { name: 'long.pdf' }).first().click();
        await expectMark(page);
        let release = (): void => undefined;
        const held = new Promise<void>((resolve) => {
          release = resolve;
        });
        await page.route(/\/pages\/\d+/, async (route) => {
          await held;
          await route.continue();
        });
        await page.reload();
        await expectMark(page);
        release();
        await page.getByRole('figure', { name: 'Page 11' }).locator('img').waitFor();
        await expectMark(page);
        await tests.close(shown);
      },
    );

    test.each([
      ['a desktop', {}],
      ['a phone', PHONE],
    ])('an address with a page opens that page on %s, and a wider window keeps it', async (_, size) => {
      const shown = await tests.open(`/collections/${collection.id}/documents/${documentId}?page=11`, undefined, size);
      const { page } = shown;
      await expect.poll(() => label(page).textContent()).toBe('Page 11 of 20');
      expect(await begins11(page)).toBe(true);
      await page.setViewportSize({ width: 1000, height: 700 });
      await expect.poll(() => begins11(page)).toBe(true);
      expect(await label(page).textContent()).toBe('Page 11 of 20');
      await page.getByRole('button', { name: 'Next page (N)' }).click();
      await expect.poll(() => label(page).textContent()).toBe('Page 12 of 20');
      await page.getByRole('button', { name: 'Previous page (P)' }).click();
      await expect.poll(() => label(page).textContent()).toBe('Page 11 of 20');
      await tests.close(shown);
    });

    test.each([
      ['a desktop', {}],
      ['a phone', PHONE],
    ])('a source of a chat opens on its page on %s', async (_, size) => {
      const shown = await tests.open(`/chat?in=${collection.id}`, undefined, size);
      const { page } = shown;
      await page.getByLabel('Question').fill('What crosses the harbour on the eleventh day?');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Source 1' }).click();
      await page.getByRole('complementary', { name: 'Source' }).getByRole('link', { name: 'long.pdf' }).click();
      await expectMark(page);
      await tests.close(shown);
    });

    test('a place that was left by scrolling is not returned to', async () => {
      const url = `/collections/${collection.id}/documents/${documentId}?page=11`;
      const shown = await tests.open(url);
      const { page } = shown;
      await expect.poll(() => label(page).textContent()).toBe('Page 11 of 20');
      await page.getByRole('region', { name: 'Pages' }).press('Home');
      await expect.poll(() => label(page).textContent()).toBe('Page 1 of 20');
      await page.getByRole('navigation', { name: 'Inspector' }).getByRole('link', { name: 'Details' }).click();
      expect(await label(page).textContent()).toBe('Page 1 of 20');
      await tests.close(shown);
    });
  },
  {
    prepare: async ({ service, workspace }) => {
      collection = await createCollection(service, workspace);
      const headers = { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="long.pdf"' };
      const body = longPdf();
      const { data } = await service.call<{ id: string }>('POST', `${collection.url}/docs/file-binary?wait=60`, {
        body,
        headers,
      });
      documentId = data.id;
    },
  },
);
