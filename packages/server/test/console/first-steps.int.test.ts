// large: starts a browser
/** The frame of the console and its first screens, in a real browser against a running service. */
import { expect, test } from 'vitest';
import { expectAccessible } from './browser.ts';
import { withConsole } from './with-console.ts';

withConsole('the console', (tests) => {
  test('the link with the key signs in and leaves no key in the address', async () => {
    const shown = await tests.open('/collections');
    const { page } = shown;
    await page.getByRole('heading', { name: 'Collections', level: 1 }).waitFor();
    expect(page.url()).toBe(`${tests.service.address}/w/${tests.workspace.id}/collections`);
    expect(await page.content()).not.toContain(tests.workspace.admin);
    await expectAccessible(page);
    await tests.close(shown);
  });

  test('a collection is created and opened with the keyboard alone, and errors are shown at their field', async () => {
    const shown = await tests.open('/collections');
    const { page } = shown;
    await page.getByRole('button', { name: 'New collection' }).first().waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('create a coll');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New collection' }).waitFor();
    await page.keyboard.press('Enter');
    const name = page.getByRole('textbox', { name: 'Name' });
    await page.getByText('String should have at least 1 character').waitFor();
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    await page.keyboard.type('Leases');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/collections\/[0-9a-f-]{36}$/);
    await page.goBack();
    await page.getByRole('link', { name: 'Leases' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/collections\/[0-9a-f-]{36}$/);
    await tests.close(shown);
  });

  test('a refused key leads to the sign-in, and a valid one back to the same address', async () => {
    const shown = await tests.open('/collections?new=1', 'not-a-key');
    const { page } = shown;
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expectAccessible(page);
    await page.getByLabel('API key').fill(tests.workspace.admin);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New collection' }).waitFor();
    expect(page.url()).toBe(`${tests.service.address}/w/${tests.workspace.id}/collections?new=1`);
    await tests.close(shown);
  });
});
