// large: starts a browser
/** The pages of keys, webhooks, configurations, audit and system, in a real browser against a running service. */
import { createWebhookSecret } from '@quire/client';
import { startReceiver, type Receiver } from '@quire/outbound/testing/receiver';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createCollection, createDocument, createKey, createWorkspace } from '../factories.ts';
import { ROOT_KEY } from '../server.ts';
import { expectAccessible } from './browser.ts';
import { withConsole } from './with-console.ts';

let receiver: Receiver;
let leases: { url: string };

withConsole(
  'the pages of a workspace',
  (tests) => {
    test('a key is created for a collection, shown once, and revoked', async () => {
      const shown = await tests.open('/keys');
      const { page } = shown;
      await page.getByRole('button', { name: 'New key' }).first().click();
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByText('String should have at least 1 character').waitFor();
      await page.getByLabel('Name').fill('Intranet');
      await page.getByRole('checkbox', { name: 'Leases' }).check();
      await page.getByRole('button', { name: 'Create' }).click();
      const secret = await page.getByLabel('The key', { exact: true }).inputValue();
      const whoami = await tests.service.call<{ permission: string; collectionIds: string[] }>('GET', '/v1/whoami', {
        key: secret,
      });
      expect([whoami.data.permission, whoami.data.collectionIds.length]).toEqual(['read', 1]);
      await page.getByRole('button', { name: 'Done' }).click();
      expect(await page.content()).not.toContain(secret);
      await page.getByRole('button', { name: 'Revoke Intranet' }).click();
      await page.getByRole('button', { name: 'Revoke the key' }).click();
      // The list behind the open dialog is hidden, so its row says nothing yet.
      await page.getByText('Revoked “Intranet”').waitFor();
      await page.getByRole('button', { name: 'Revoke Intranet' }).waitFor({ state: 'detached' });
      expect((await tests.service.call('GET', '/v1/whoami', { key: secret })).status).toBe(401);
      await tests.finish(shown);
    });

    test('a token is signed in the browser, with its filter', async () => {
      const shown = await tests.open('/keys?new=token');
      const { page } = shown;
      await page.getByLabel('User').fill('ada@example.com');
      await page.getByLabel('Filter').fill('{"metadata.team": ');
      await page.getByRole('button', { name: 'Sign the token' }).click();
      await page.getByText('This is not JSON').first().waitFor();
      await page.getByLabel('Filter').fill('{"metadata.team": "sales"}');
      await page.getByRole('button', { name: 'Sign the token' }).click();
      const token = await page.getByLabel('The token', { exact: true }).inputValue();
      const { data } = await tests.service.call<{ permission: string; token: object }>('GET', '/v1/whoami', {
        key: token,
      });
      expect(data).toMatchObject({ permission: 'read', token: { subject: 'ada@example.com' } });
      await tests.finish(shown);
    });

    test('a webhook is created with a generated secret, and its test delivery is shown', async () => {
      const shown = await tests.open('/webhooks');
      const { page } = shown;
      await page.getByRole('button', { name: 'New webhook' }).first().click();
      await page.getByLabel('Name').fill('Back office');
      await page.getByLabel('Address').fill('http://hooks.example/quire');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.locator('input[name=url][aria-invalid=true]').waitFor();
      await page.getByLabel('Address').fill('https://hooks.invalid/quire');
      await page.getByRole('button', { name: 'Create' }).click();
      expect(await page.getByLabel('Signing secret', { exact: true }).inputValue()).toMatch(/^whsec_/);
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('button', { name: 'Test Back office' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delivery' });
      await dialog.getByText('"webhook.test"').waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page.getByRole('table', { name: 'Deliveries' }).getByRole('link', { name: 'webhook.test' }).waitFor();
      await tests.finish(shown);
    });

    test('failed deliveries are sent again together, and the log follows them until they are delivered', async () => {
      const { service, workspace } = tests;
      const json = {
        name: 'Archive',
        url: `${receiver.url}/archive`,
        events: ['document.ready'],
        signingSecret: createWebhookSecret(),
      };
      const webhook = await service.call<{ id: string }>('POST', `${workspace.url}/webhooks`, { json });
      expect(webhook.status).toBe(201);
      for (const name of ['first.md', 'second.md']) await createDocument(service, leases, { name, content: name });
      const sent = await receiver.wait(2, '/archive');
      const client = new pg.Client({ connectionString: service.connectionString });
      await client.connect();
      const shown = await tests.open('/webhooks?event=document.ready&status=failed');
      const { page } = shown;
      const log = page.getByRole('table', { name: 'Deliveries' });
      try {
        await page.getByText('No deliveries match.').waitFor();
        // As the last attempt leaves them, after hours.
        const fail = `update deliveries set status = 'failed', next_attempt_at = null where webhook_id = $1 and status = 'delivered'`;
        let failed = 0;
        await expect
          .poll(async () => (failed += (await client.query(fail, [webhook.data.id])).rowCount ?? 0), {
            timeout: 60_000,
          })
          .toBe(2);
        await page.reload();
        await expect.poll(() => log.getByText('failed').count()).toBe(2);
        await page.getByRole('button', { name: 'Send failed ones again' }).click();
        await page.getByText('2 deliveries are sent again').waitFor();
        await page.getByText('No deliveries match.').waitFor();
        await page.getByLabel('Status').selectOption('All states');
        await expect.poll(() => log.getByText('delivered').count()).toBe(2);
        const ids = (await receiver.wait(4, '/archive')).map(({ headers }) => headers['webhook-id']);
        expect(ids.slice(2).toSorted()).toEqual(sent.map(({ headers }) => headers['webhook-id']).toSorted());
      } finally {
        await client.end();
      }
      await tests.finish(shown);
    });

    test('the root key changes the workspace, and each page shows the records of its own', async () => {
      const { service } = tests;
      const other = await createWorkspace(service, 'Second workspace');
      await createCollection(service, other, { name: 'Minutes' });
      const shown = await tests.open('/collections', ROOT_KEY);
      const { page } = shown;
      await page.getByRole('link', { name: 'Leases' }).waitFor();
      await page.getByRole('combobox', { name: 'Workspace' }).selectOption('Second workspace');
      await page.waitForURL(`${service.address}/w/${other.id}/collections`);
      await page.getByRole('link', { name: 'Minutes' }).waitFor();
      expect(await page.getByRole('link', { name: 'Leases' }).count()).toBe(0);
      // The workspace that was shown last opens first.
      await page.goto(`${service.address}/`);
      await page.waitForURL(`${service.address}/w/${other.id}/start`);
      await page.goBack();
      await page.goBack();
      await page.getByRole('link', { name: 'Leases' }).waitFor();
      expect(await page.getByRole('link', { name: 'Minutes' }).count()).toBe(0);
      await tests.finish(shown);
    });

    test('the settings of a configuration follow its provider, and its secret stays masked', async () => {
      const shown = await tests.open('/configurations?kind=models&new=1');
      const { page } = shown;
      const apiKey = page.getByLabel('API key');
      await page.getByLabel('Provider').selectOption({ label: 'A model on this machine' });
      await apiKey.waitFor({ state: 'detached' });
      await page.getByLabel('Provider').selectOption({ label: 'Gemini' });
      await page.getByLabel('Name').fill('Answers');
      await page.getByLabel('Model', { exact: true }).fill('gemini-2.5-flash');
      await apiKey.fill('example-0123456789');
      await page.getByText('Limits and further settings').click();
      await page.getByLabel('Temperature').fill('warm');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('[name="config.temperature"][aria-invalid=true]').waitFor();
      await page.getByLabel('Temperature').fill('0.2');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('link', { name: 'Answers', exact: true }).click();
      expect(await apiKey.getAttribute('placeholder')).toContain('6789');
      expect(await apiKey.inputValue()).toBe('');
      await page.getByLabel('Name').fill('Short answers');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('link', { name: 'Short answers' }).waitFor();
      const { data } = await tests.service.call<{ items: { name: string; config: object }[] }>(
        'GET',
        `${tests.workspace.url}/config/models`,
      );
      const saved = data.items.find(({ name }) => name === 'Short answers');
      expect(saved?.config).toMatchObject({ temperature: 0.2, apiKey: expect.stringContaining('6789') as string });
      await tests.finish(shown);
    });

    test('the audit log is filtered by a value of a row, and read only by admins', async () => {
      const shown = await tests.open('/audit');
      const { page } = shown;
      await page.getByRole('button', { name: 'createCollection', exact: true }).first().click();
      await page.waitForURL(/action=createCollection/);
      await page.getByRole('button', { name: 'Remove the filter action createCollection' }).click();
      await page.getByRole('button', { name: 'createKey', exact: true }).first().waitFor();
      await tests.finish(shown);
      const reader = await tests.open(
        '/audit',
        await createKey(tests.service, tests.workspace, { permission: 'read' }),
      );
      await reader.page.getByRole('alert').getByText('Your key may not do this').waitFor();
      await tests.finish(reader);
    });

    test('the system page shows each dependency', async () => {
      const shown = await tests.open('/system');
      await shown.page.getByText('PostgreSQL').or(shown.page.getByText('database')).first().waitFor();
      await shown.page.getByText('Ready documents').waitFor();
      await tests.finish(shown);
    });
  },
  {
    settings: async () => {
      receiver = await startReceiver();
      return { QUIRE_EXTRA_CA_FILE: receiver.caFile, QUIRE_ALLOW_PRIVATE_NETWORK: '127.0.0.0/8' };
    },
    prepare: async ({ service, workspace }) => {
      leases = await createCollection(service, workspace, { name: 'Leases' });
    },
    end: () => receiver.close(),
  },
);
