// large: starts a browser
/** The frame of the console and its first screens, in a real browser against a running service. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkspace, type TestWorkspace } from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';
import { expectAccessible, isMissing, launchBrowser, openConsole } from './browser.ts';

describe.skipIf(isMissing)('the console', () => {
  let service: TestService;
  let browser: Browser;
  let workspace: TestWorkspace;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startTestService(), launchBrowser()]);
    workspace = await createWorkspace(service);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  const collections = (): string => `/w/${workspace.id}/collections`;

  test('the link with the key signs in and leaves no key in the address', async () => {
    const { page, faults } = await openConsole(browser, service.address, `${collections()}#key=${workspace.admin}`);
    await page.getByRole('heading', { name: 'Collections', level: 1 }).waitFor();
    expect(page.url()).toBe(`${service.address}${collections()}`);
    expect(await page.content()).not.toContain(workspace.admin);
    await expectAccessible(page);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('a collection is created and opened with the keyboard alone, and errors are shown at their field', async () => {
    const { page, faults } = await openConsole(browser, service.address, `${collections()}#key=${workspace.admin}`);
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
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('a refused key leads to the sign-in, and a valid one back to the same address', async () => {
    const { page, faults } = await openConsole(browser, service.address, `${collections()}?new=1#key=not-a-key`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expectAccessible(page);
    await page.getByLabel('API key').fill(workspace.admin);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New collection' }).waitFor();
    expect(page.url()).toBe(`${service.address}${collections()}?new=1`);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
