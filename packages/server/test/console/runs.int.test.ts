// large: starts a browser
/** The page of runs in a real browser: values are extracted from a file, with their evidence on the page. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkspace, type TestWorkspace } from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';
import { expectAccessible, isMissing, launchBrowser, openConsole } from './browser.ts';

const INVOICE = '# Invoice\n\nInvoice number: A-1077\n\nInvoice date: 2026-03-04\n\nTotal amount: 120.50 EUR\n';

describe.skipIf(isMissing)('the page of runs', () => {
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

  test('values are extracted and summarised, faults are shown at their field, and the results can be deleted', async () => {
    const url = `/w/${workspace.id}/runs?new=1#key=${workspace.admin}`;
    const { page, faults } = await openConsole(browser, service.address, url);
    await page
      .getByLabel('Files', { exact: true })
      .setInputFiles([{ name: 'invoice.md', mimeType: 'text/markdown', buffer: Buffer.from(INVOICE) }]);
    await page.getByRole('checkbox', { name: 'Extract values' }).check();
    await page.getByRole('checkbox', { name: 'Summarise' }).check();
    const schema = page.getByLabel('JSON Schema of the values');
    const template = await schema.inputValue();
    await schema.fill('{ "type": ');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('Not a JSON object').waitFor();
    await expectAccessible(page);
    await schema.fill(template);
    await page.getByRole('button', { name: 'Start', exact: true }).click();

    const file = page.getByRole('region', { name: 'invoice.md' });
    await file.getByText('A-1077', { exact: true }).waitFor();
    await file.getByText('120.5', { exact: true }).waitFor();
    await file.getByRole('heading', { name: 'Summary' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Delete now' }).click();
    await page.waitForURL(/\/runs$/);
    await page.getByText('No runs yet').waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
