// large: starts a browser
/** Every form of the console with values that the service refuses: the fault is at its field, with the request. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createChat, createCollection, createDocument } from '../factories.ts';
import { withConsole } from './with-console.ts';

let collection: { id: string };
let documentId = '';
let chatId = '';

interface Case {
  form: string;
  /** Path below the workspace; `{col}`, `{doc}` and `{chat}` are the ids of the records. */
  path: string;
  /** Enters the values. */
  fill: (page: Page) => Promise<unknown>;
  action: string;
  /** Name of the field, as the service names it. */
  field: string;
}

const fillIn =
  (values: Readonly<Record<string, string>>) =>
  async (page: Page): Promise<void> => {
    for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value);
  };

const CASES: readonly Case[] = [
  {
    form: 'collection',
    path: '/collections?new=1',
    fill: async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('Leases');
      await page.getByText('Advanced').click();
      await page.getByLabel('Tokens a chunk').fill('many');
      // The field with the fault is not visible when the form is sent.
      await page.getByText('Advanced').click();
    },
    action: 'Create',
    field: 'chunking.maxTokens',
  },
  {
    form: 'settings of a collection',
    path: '/collections/{col}?view=settings',
    fill: fillIn({ Name: '' }),
    action: 'Save',
    field: 'name',
  },
  {
    form: 'document',
    path: '/collections/{col}/documents/{doc}?pane=details',
    fill: fillIn({ Name: '' }),
    action: 'Save',
    field: 'name',
  },
  {
    form: 'webhook',
    path: '/webhooks?new=1',
    fill: async (page) => {
      await fillIn({ Name: 'Back office', Address: 'https://hooks.invalid/quire' })(page);
      for (const event of await page.locator('[name=events]').all()) await event.uncheck();
    },
    action: 'Create',
    field: 'events',
  },
  {
    form: 'configuration',
    path: '/configurations?kind=models&new=1',
    fill: async (page) => {
      await page.getByLabel('Provider').selectOption({ label: 'Gemini' });
      await page.getByLabel('Name', { exact: true }).fill('Answers');
    },
    action: 'Save',
    field: 'config.model',
  },
  {
    form: 'connector',
    path: '/connectors?new=1',
    fill: async (page) => {
      await page.getByRole('option', { name: 'Contracts' }).waitFor({ state: 'attached' });
      await page.getByLabel('Name', { exact: true }).fill('Archive');
    },
    action: 'Create and test',
    field: 'config.bucket',
  },
  {
    form: 'key',
    path: '/keys?new=key',
    fill: fillIn({ Name: 'x'.repeat(1_000) }),
    action: 'Create',
    field: 'name',
  },
  {
    form: 'run without a file',
    path: '/runs?new=1',
    fill: () => Promise.resolve(),
    action: 'Start',
    field: 'files',
  },
  {
    form: 'schema of a run',
    path: '/runs?new=1',
    fill: async (page) => {
      await page
        .getByLabel('Files', { exact: true })
        .setInputFiles([{ name: 'a.md', mimeType: 'text/markdown', buffer: Buffer.from('A text.') }]);
      await page.getByRole('checkbox', { name: 'Extract values' }).check();
      await page.getByRole('button', { name: 'As JSON' }).click();
      await page
        .getByLabel('JSON Schema of the values')
        .fill('{"type": "object", "properties": {"a": {"type": "no"}}}');
      await page.getByRole('button', { name: 'As fields' }).click();
    },
    action: 'Start',
    field: 'extractionConfig.jsonSchema',
  },
  {
    form: 'classes of a run',
    path: '/runs?new=1',
    fill: async (page) => {
      await page
        .getByLabel('Files', { exact: true })
        .setInputFiles([{ name: 'a.md', mimeType: 'text/markdown', buffer: Buffer.from('A text.') }]);
      await page.getByRole('checkbox', { name: 'Classify' }).check();
    },
    action: 'Start',
    field: 'classificationConfig.taxonomy',
  },
  {
    form: 'title of a chat',
    path: '/chat/{chat}',
    fill: async (page) => {
      await page.getByRole('button', { name: 'Rename' }).click();
      await page.getByLabel('Title').fill('x'.repeat(2_000));
    },
    action: 'Rename',
    field: 'title',
  },
];

withConsole(
  'forms of the console',
  (tests) => {
    test('a value that the service refuses is named at its field, which has the focus, with the id of the request', async () => {
      const shown = await tests.open('/collections');
      const { page } = shown;
      // A form that was changed has a question before it is left.
      page.on('dialog', (question) => void question.accept());
      const found: Record<string, string> = {};
      for (const { form, path, fill, action, field } of CASES) {
        const at = path.replace('{col}', collection.id).replace('{doc}', documentId).replace('{chat}', chatId);
        await page.goto(`${tests.service.address}/w/${tests.workspace.id}${at}`);
        await fill(page);
        const dialog = page.getByRole('dialog');
        await ((await dialog.count()) > 0 ? dialog : page).getByRole('button', { name: action, exact: true }).click();
        const control = page.locator(`[name="${field}"][aria-invalid=true]`);
        const group = page.locator(`fieldset[aria-invalid=true]:has([name="${field}"])`);
        const refused = control.or(group).first();
        await refused.waitFor().catch((error: unknown) => {
          throw new Error(`${form}: the field ${field} is not marked`, { cause: error });
        });
        const described = (await refused.getAttribute('aria-describedby')) ?? '';
        const messages = await Promise.all(
          described.split(' ').map((id) => page.locator(`[id="${id}"]`).first().textContent()),
        );
        const request = await page.getByRole('alert').filter({ hasText: 'Nothing was saved' }).textContent();
        const isNamed = /Request [0-9a-f-]{36}/.test(request ?? '');
        const hasFocus = (await refused.and(page.locator(':focus')).count()) === 1;
        if (messages.join('').trim() === '' || !isNamed || !hasFocus)
          found[form] = `messages “${messages.join()}”, request ${isNamed}, focus ${hasFocus}`;
      }
      expect(found).toEqual({});
      await tests.finish(shown);
    });

    test('a filter that the service refuses is marked in the search and before a chat', async () => {
      const filter = '{"metadata.year": {"near": 1}}';
      const shown = await tests.open(`/search?q=lease&filter=${encodeURIComponent(filter)}`);
      const { page } = shown;
      const field = page.locator('textarea[name=filter]');
      const fault = page.locator('#filter-fault');
      await fault.waitFor();
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      await page.getByRole('alert').getByText('request').waitFor();
      await page.goto(`${tests.service.address}/w/${tests.workspace.id}/chat`);
      await page.getByText('Model, instructions, filter').click();
      await field.fill(filter);
      await page.getByLabel('Question').fill('How high is the rent?');
      await page.keyboard.press('Enter');
      await fault.waitFor();
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      await page.getByRole('alert').getByText('request').waitFor();
      await tests.finish(shown);
    });
  },
  {
    prepare: async ({ service, workspace }) => {
      collection = await createCollection(service, workspace, { name: 'Contracts' });
      documentId = (await createDocument(service, collection as never)).id;
      chatId = (await createChat(service, workspace, { collection_id: collection.id })).id;
    },
  },
);
