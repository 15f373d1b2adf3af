// large: starts a browser
/** The page of runs in a real browser: values are extracted from a file, with their evidence on the page. */
import { expect, test } from 'vitest';
import { expectAccessible } from './browser.ts';
import { withConsole } from './with-console.ts';

const INVOICE = '# Invoice\n\nInvoice number: A-1077\n\nInvoice date: 2026-03-04\n\nTotal amount: 120.50 EUR\n';

withConsole('the page of runs', (tests) => {
  test('values are extracted and summarised, faults are shown at their field, and the results can be deleted', async () => {
    const shown = await tests.open('/runs?new=1');
    const { page } = shown;
    await page
      .getByLabel('Files', { exact: true })
      .setInputFiles([{ name: 'invoice.md', mimeType: 'text/markdown', buffer: Buffer.from(INVOICE) }]);
    await page.getByRole('checkbox', { name: 'Extract values' }).check();
    await page.getByRole('checkbox', { name: 'Summarise' }).check();
    await page.getByRole('button', { name: 'As JSON' }).click();
    const schema = page.getByLabel('JSON Schema of the values');
    const template = await schema.inputValue();
    await schema.fill('{ "type": ');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('This is not JSON').waitFor();
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
    await tests.close(shown);
  });

  test('fields are proposed from a sample, changed as a tree, and files are changed', async () => {
    const shown = await tests.open('/runs?new=1');
    const { page } = shown;
    const sample = { name: 'sample.md', mimeType: 'text/markdown', buffer: Buffer.from(INVOICE) };
    await page.getByLabel('Files', { exact: true }).setInputFiles([sample]);
    await page.getByRole('checkbox', { name: 'Extract values' }).check();
    await page.getByLabel('Sample file').setInputFiles([sample]);
    const names = page.getByRole('list', { name: 'Fields' }).getByRole('textbox', { name: 'Name of the field' });
    await expect
      .poll(() => names.evaluateAll((inputs) => inputs.map((input) => (input as { value?: string }).value)))
      .toEqual(['invoiceNumber', 'invoiceDate', 'totalAmount']);
    await page.getByRole('button', { name: 'Remove invoiceDate' }).click();
    await page.getByRole('button', { name: 'Add a field' }).click();
    await page.keyboard.type('items');
    await page.getByRole('combobox', { name: 'Type of items' }).selectOption('Group');
    await page.getByRole('checkbox', { name: 'Change the files' }).check();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.locator('[name="editConfig.operations.0.find"][aria-invalid=true]').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Text', { exact: true }).fill('A-1077');
    await page.getByLabel('New text').fill('B-2');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    const file = page.getByRole('region', { name: 'sample.md' });
    await file.getByText('Replace a text: 1 place').waitFor();
    await file.getByText('A-1077', { exact: true }).waitFor();
    await file.getByRole('button', { name: /sample-edited\.md/ }).waitFor();
    await tests.finish(shown);
  });
});
