// large: starts a browser
/** The page of connectors in a real browser: a bucket is imported, loses its files, and the deletions are approved. */
import { test } from 'vitest';
import { SETUPS, type KindSource } from '../connectors/kind-sources.ts';
import { createCollection } from '../factories.ts';
import { expectAccessible } from './browser.ts';
import { withConsole, type ConsoleTests } from './with-console.ts';

let bucket: KindSource;
let isOpen = false;

async function prepare({ service, workspace }: ConsoleTests): Promise<void> {
  await createCollection(service, workspace, { name: 'Contracts' });
  const found = SETUPS.find(({ missing, name }) => missing === null && name.startsWith('object_storage'));
  if (found === undefined) throw new Error('there is no bucket for the test');
  bucket = await found.start();
  isOpen = true;
}

async function stop(): Promise<void> {
  if (isOpen) await bucket.close();
  isOpen = false;
}

withConsole(
  'the page of connectors',
  (tests) => {
    test('a bucket is tested, imported, emptied, its deletions are approved, and its end is explained', async () => {
      for (const name of ['a.txt', 'b.txt', 'c.txt']) await bucket.write(name, Buffer.from(`The contract ${name}.`));
      const shown = await tests.open('/connectors?new=1');
      const { page } = shown;
      await page.getByLabel('Name').fill('Archive');
      await page.getByLabel('Bucket').fill('x');
      await page.getByRole('button', { name: 'Create and test' }).click();
      await page.locator('[name="config.bucket"][aria-invalid=true]').waitFor();
      for (const [label, setting] of [
        ['Bucket', 'bucket'],
        ['Endpoint', 'endpoint'],
        ['Access key id', 'accessKeyId'],
        ['Secret access key', 'secretAccessKey'],
      ] as const)
        await page.getByLabel(label).fill(String(bucket.config[setting]));
      await page.getByRole('button', { name: 'Create and test' }).click();
      await page.getByText('a.txt', { exact: true }).waitFor();
      await expectAccessible(page);

      await page.getByRole('button', { name: 'List the changes only' }).click();
      const changes = page.getByRole('list', { name: 'Changes' });
      await changes.getByText('c.txt').waitFor();
      await page.getByRole('button', { name: 'Synchronise', exact: true }).click();
      await page.getByText('3 of 3 fetched').waitFor();
      await page.getByText('done', { exact: true }).nth(1).waitFor();
      for (const name of ['a.txt', 'b.txt', 'c.txt']) await bucket.remove(name);
      await page.getByRole('button', { name: 'Synchronise', exact: true }).click();
      await page.getByRole('button', { name: 'Delete the documents' }).click();
      await page.getByText('0 added, 0 updated, 3 deleted').first().waitFor();
      await expectAccessible(page);

      await stop();
      await page.getByRole('button', { name: 'Synchronise', exact: true }).click();
      await page.getByText(/cannot be reached \(ECONNREFUSED\)\. The next try is at /).waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByText('cancelled', { exact: true }).waitFor();
      await tests.close(shown);
    });
  },
  { settings: { QUIRE_ALLOW_PRIVATE_NETWORK: '127.0.0.0/8' }, prepare, end: stop },
);
