// large: starts a browser
/**
 * The first run of a new user by keyboard alone and by mouse, and an upload of 60 files of every kind with faults
 * among them.
 */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createCollection, createWorkspace } from '../../factories.ts';
import { makePdf, TestPage } from '@quire/parse/formats/pdf/testing/make-pdf';
import { openConsole } from '../browser.ts';
import { proveInConsole } from './proof.ts';

const TEXT = '# Opening hours\n\nThe library is open from nine to five. On Thursdays it closes at eight.\n';
const MAX_TABS = 60;

/** Moves the focus with the Tab key alone until it is on the control. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let press = 0; press < MAX_TABS; press += 1) {
    if (await control.and(page.locator(':focus')).count()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${String(control)} is not reached by Tab`);
}

const KINDS = [
  (index: number) => ({ name: `note-${index}.md`, content: `# Note ${index}\n\nA note about subject ${index}.\n` }),
  (index: number) => ({ name: `table-${index}.csv`, content: `subject,count\nsubject ${index},${index}\n` }),
  (index: number) => ({ name: `page-${index}.html`, content: `<h1>Page ${index}</h1><p>About subject ${index}.</p>` }),
  (index: number) => ({
    name: `paper-${index}.pdf`,
    content: makePdf([new TestPage().text(60, 100, `A paper about subject ${index}.`)]),
  }),
  (index: number) => ({ name: `empty-${index}.html`, content: `<html><!-- ${index} --><body></body></html>` }),
  (index: number) => ({ name: `program-${index}.exe`, content: `MZ\u0000\u0001 program ${index}` }),
];
const EACH = 10;

proveInConsole('first steps', (tests) => {
  test('a new user comes from the link to a cited answer with the keyboard alone', async () => {
    const shown = await tests.open('/start');
    const { page } = shown;
    await page.getByRole('heading', { name: 'From a file to a cited answer' }).waitFor();
    const choose = page.getByRole('button', { name: /choose files/i }).first();
    await choose.waitFor();
    // Before the keys, so that the browser does not open its own window.
    const chooser = page.waitForEvent('filechooser');
    await tabTo(page, choose);
    await page.keyboard.press('Enter');
    await (await chooser).setFiles({ name: 'hours.md', mimeType: 'text/markdown', buffer: Buffer.from(TEXT) });
    await page.getByText('1 ready').first().waitFor();
    await tabTo(page, page.getByPlaceholder('A question about your documents'));
    await page.keyboard.type('When does the library close on Thursdays?');
    await page.keyboard.press('Enter');
    // The field of the new chat has the question and the focus.
    const answer = page.getByRole('article', { name: 'Answer' });
    const composer = page.getByLabel('Question');
    await answer.or(composer).first().waitFor();
    if ((await answer.count()) === 0 && (await composer.inputValue()) !== '') {
      await tabTo(page, composer);
      await page.keyboard.press('Enter');
    }
    await page.getByRole('button', { name: 'Source 1' }).first().waitFor();
    await page.keyboard.press('Tab');
    await page.locator('body').press(']');
    const source = page.getByRole('complementary', { name: 'Source' });
    await source.getByText('On Thursdays it closes at eight.').waitFor();
    await tests.finish(shown);
  });

  test('a new user comes from the link to a cited answer with the mouse', async () => {
    const workspace = await createWorkspace(tests.service);
    const { service, browser } = tests;
    const shown = await openConsole(browser, service.address, `/#key=${workspace.admin}`);
    const { page } = shown;
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: /choose files/i }).click();
    await (await chooser).setFiles({ name: 'hours.md', mimeType: 'text/markdown', buffer: Buffer.from(TEXT) });
    await page.getByText('1 ready').first().waitFor();
    await page.getByPlaceholder('Words, a name or a question').fill('library Thursdays');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.locator('mark').first().waitFor();
    await page.getByRole('link', { name: 'Start' }).click();
    await page.getByPlaceholder('A question about your documents').fill('When does the library close on Thursdays?');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    const ask = page.getByLabel('Question');
    await ask.waitFor();
    if ((await ask.inputValue()) !== '') await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByRole('button', { name: 'Source 1' }).first().click();
    const source = page.getByRole('complementary', { name: 'Source' });
    await source.getByText('On Thursdays it closes at eight.').waitFor();
    await tests.finish(shown);
  });

  test('of 60 mixed files each ends as ready, failed with a reason, or refused with a reason', async () => {
    const { service, workspace } = tests;
    const collection = await createCollection(service, workspace, { name: 'Mixed' });
    const files = KINDS.flatMap((make) =>
      Array.from({ length: EACH }, (_, index) => {
        const { name, content } = make(index);
        return { name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) };
      }),
    );
    const shown = await tests.open(`/collections/${collection.id}`);
    const { page } = shown;
    await page.getByText('No documents yet').waitFor();
    await page.getByLabel('Files', { exact: true }).setInputFiles(files);
    const uploads = page.getByRole('region', { name: 'Uploads' });
    await uploads.getByText('40 ready, 10 failed, 10 refused').waitFor({ timeout: 400_000 });
    expect(
      await uploads.getByRole('listitem').filter({ hasText: '.exe' }).getByText('refused', { exact: true }).count(),
    ).toBe(EACH);
    const { data } = await service.call<{ items: { name: string; status: string }[] }>(
      'GET',
      `${collection.url}/docs?limit=100`,
    );
    const counts = ['ready', 'failed', 'indexing'].map(
      (each) => data.items.filter(({ status }) => status === each).length,
    );
    expect(counts).toEqual([40, 10, 0]);
    await page.getByRole('button', { name: 'Close the list' }).click();
    await page.getByRole('link', { name: /^Failed/ }).click();
    await page.getByText('For scans in another script').waitFor();
    await page.getByRole('row').nth(EACH).waitFor();
    expect(await page.getByRole('row').count()).toBe(EACH + 1);
    await tests.finish(shown);
  });
});
