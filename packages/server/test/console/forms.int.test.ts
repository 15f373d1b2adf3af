// large: starts a browser
/** Every form of the console with values that the service refuses, and with answers of each kind: where they appear. */
import { createWebhookSecret } from '@quire/client';
import type { Locator, Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { createChat, createCollection, createDocument, createWorkspace } from '../factories.ts';
import { ROOT_KEY } from '../server.ts';
import { openConsole } from './browser.ts';
import { withConsole, type ConsoleTests } from './with-console.ts';

/** Ids of the records, by their place in the paths of the forms. */
const ids: Record<string, string> = {};

interface Case {
  form: string;
  /** Path below the workspace; `{col}`, `{doc}`, `{chat}`, `{webhook}` and `{model}` are the ids of the records. */
  path: string;
  /** The request that the form sends; its path below the workspace. */
  sends: readonly [method: string, path: RegExp];
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

const RUN: Case['sends'] = ['POST', /^process$/];

const CASES: readonly Case[] = [
  {
    form: 'collection',
    path: '/collections?new=1',
    sends: ['POST', /^col$/],
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
    sends: ['PATCH', /^col\/[^/]+$/],
    fill: fillIn({ Name: '' }),
    action: 'Save',
    field: 'name',
  },
  {
    form: 'document',
    path: '/collections/{col}/documents/{doc}?pane=details',
    sends: ['PATCH', /^col\/[^/]+\/docs\/[^/]+$/],
    fill: fillIn({ Name: '' }),
    action: 'Save',
    field: 'name',
  },
  {
    form: 'webhook',
    path: '/webhooks?new=1',
    sends: ['POST', /^webhooks$/],
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
    sends: ['POST', /^config\/models$/],
    fill: async (page) => {
      await page.getByLabel('Provider').selectOption({ label: 'Gemini' });
      await page.getByLabel('Name', { exact: true }).fill('Answers');
    },
    action: 'Save',
    field: 'config.model',
  },
  {
    form: 'settings of a webhook',
    path: '/webhooks?webhook={webhook}',
    sends: ['PATCH', /^webhooks\/[^/]+$/],
    fill: async (page) => {
      await page.locator('[name=events]').first().waitFor();
      for (const event of await page.locator('[name=events]').all()) await event.uncheck();
    },
    action: 'Save',
    field: 'events',
  },
  {
    form: 'settings of a configuration',
    path: '/configurations?kind=models&id={model}',
    sends: ['PATCH', /^config\/models\/[^/]+$/],
    fill: async (page) => {
      await page.getByText('Limits and further settings').click();
      await fillIn({ 'Temperature (optional)': 'warm' })(page);
    },
    action: 'Save',
    field: 'config.temperature',
  },
  {
    form: 'embedder',
    path: '/configurations?kind=embedders&new=1',
    sends: ['POST', /^config\/embedders$/],
    fill: fillIn({ Name: '' }),
    action: 'Save',
    field: 'name',
  },
  {
    form: 'parser',
    path: '/configurations?kind=parsers&new=1',
    sends: ['POST', /^config\/parsers$/],
    fill: fillIn({ Name: '' }),
    action: 'Save',
    field: 'name',
  },
  {
    form: 'connector',
    path: '/connectors?new=1',
    sends: ['POST', /^connectors$/],
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
    sends: ['POST', /^keys$/],
    fill: fillIn({ Name: 'x'.repeat(1_000) }),
    action: 'Create',
    field: 'name',
  },
  {
    form: 'run without a file',
    path: '/runs?new=1',
    sends: RUN,
    fill: () => Promise.resolve(),
    action: 'Start',
    field: 'files',
  },
  {
    form: 'schema of a run',
    path: '/runs?new=1',
    sends: RUN,
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
    sends: RUN,
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
    sends: ['PATCH', /^chat\/[^/]+$/],
    fill: async (page) => {
      await page.getByRole('button', { name: 'Rename' }).click();
      await page.getByLabel('Title').fill('x'.repeat(2_000));
    },
    action: 'Rename',
    field: 'title',
  },
];

async function open(page: Page, { service, workspace }: ConsoleTests, { path, fill }: Case): Promise<void> {
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
  await page.goto(`${service.address}/w/${workspace.id}${place}`);
  await fill(page);
}

async function submit(page: Page, { action }: Case): Promise<void> {
  const dialog = page.getByRole('dialog');
  await ((await dialog.count()) > 0 ? dialog : page).getByRole('button', { name: action, exact: true }).click();
}

/** Answers that are sent in place of the service's, which gives them for reasons that no form has a part in. */
const REFUSALS = [
  { status: 403, type: 'forbidden' },
  { status: 409, type: 'conflict' },
  { status: 429, type: 'rate_limited' },
  { status: 503, type: 'unavailable' },
] as const;

/** Answers the requests of a form with the present refusal, which has an id of its own. */
class Refuser {
  status = 0;
  type = '';
  request = '';
  /** Number of refused requests. */
  count = 0;
  #number = 0;

  choose(refusal: (typeof REFUSALS)[number]): void {
    this.#number += 1;
    Object.assign(this, refusal, { request: `request-${this.#number}-${refusal.status}`, count: 0 });
  }

  async attach(page: Page, [method, path]: Case['sends']): Promise<void> {
    await page.unroute('**/v1/w/**');
    await page.route('**/v1/w/**', async (route) => {
      const place = new URL(route.request().url()).pathname.replace(/^.*\/v1\/w\/[^/]+\//, '');
      if (route.request().method() !== method || !path.test(place)) return route.fallback();
      return this.refuse(route);
    });
  }

  refuse(route: Route): Promise<void> {
    this.count += 1;
    const { status, type, request } = this;
    return route.fulfill({
      status,
      json: { detail: [{ loc: [], msg: `Refused as ${type}`, type }] },
      headers: { 'x-request-id': request, 'retry-after': '0' },
    });
  }

  /** Returns the message with the kind and the request of the present refusal. */
  alert(scope: Locator): Locator {
    return scope.getByRole('alert').filter({ hasText: this.request }).filter({ hasText: this.type });
  }
}

withConsole(
  'forms of the console',
  (tests) => {
    test('a value that the service refuses is named at its field, which has the focus, with the id of the request', async () => {
      const shown = await tests.open('/collections');
      const { page } = shown;
      // A form that was changed has a question before it is left.
      page.on('dialog', (question) => void question.accept());
      const found: Record<string, string> = {};
      for (const each of CASES) {
        const { form, field } = each;
        await open(page, tests, each);
        await submit(page, each);
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

    test('a missing permission, a conflict, too many requests and a pause are shown in the form, with the request', async () => {
      const shown = await tests.open('/collections');
      const { page } = shown;
      page.on('dialog', (question) => void question.accept());
      const refuser = new Refuser();
      const found: Record<string, string> = {};
      // The three forms of a run are one.
      for (const each of CASES.filter(({ form }) => !form.endsWith('of a run'))) {
        await open(page, tests, each);
        await refuser.attach(page, each.sends);
        for (const refusal of REFUSALS) {
          refuser.choose(refusal);
          await submit(page, each);
          const alert = refuser.alert(page.locator('form'));
          const isShown = await alert.waitFor({ timeout: 20_000 }).then(
            () => true,
            () => false,
          );
          if (!isShown || refuser.count === 0) found[`${each.form} ${refusal.status}`] = `${refuser.count} requests`;
        }
      }
      expect(found).toEqual({});
      await tests.finish(shown);
    });

    test('refusals of a search, a new chat, a question and a sign-in are shown there, and no question is lost', async () => {
      const shown = await tests.open('/search');
      const { page } = shown;
      const { address } = tests.service;
      const at = (path: string): string => `${address}/w/${tests.workspace.id}${path}`;
      const refuser = new Refuser();
      const expectAlert = (scope: Locator): Promise<void> => refuser.alert(scope).waitFor();
      await refuser.attach(page, ['POST', /^search$/]);
      for (const refusal of REFUSALS) {
        refuser.choose(refusal);
        await page.getByRole('searchbox', { name: 'What to search for' }).fill(`the rent ${refusal.status}`);
        await page.keyboard.press('Enter');
        await expectAlert(page.getByRole('main'));
      }
      const question = page.getByLabel('Question', { exact: true });
      await page.goto(at('/chat'));
      await refuser.attach(page, ['POST', /^chat$/]);
      await question.fill('How high is the rent?');
      for (const refusal of REFUSALS) {
        refuser.choose(refusal);
        await page.getByRole('button', { name: 'Ask', exact: true }).click();
        await expectAlert(page.getByRole('region', { name: 'New chat' }));
        expect(await question.inputValue()).toBe('How high is the rent?');
      }
      await page.goto(at(`/chat/${ids['chat']}`));
      await refuser.attach(page, ['POST', /^chat\/[^/]+\/message$/]);
      const conversation = page.getByRole('region', { name: 'Conversation' });
      for (const refusal of REFUSALS) {
        refuser.choose(refusal);
        await question.fill(`How high is the rent? ${refusal.status}`);
        await page.getByRole('button', { name: 'Ask', exact: true }).click();
        // The client sends it again to an unavailable service, which may be restarting.
        if (refusal.status !== 503) await expectAlert(conversation);
      }
      await page.getByRole('status').filter({ hasText: 'has not accepted the question yet' }).waitFor();
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
      await conversation.getByRole('alert').getByText('You stopped the question').waitFor();
      await page.unroute('**/v1/w/**');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('article', { name: 'Answer' }).locator('footer').waitFor();
      // The service itself refuses a question that is too long; it is put back, with the fault at its field.
      const long = 'rent '.repeat(20_000).trim();
      await question.fill(long);
      await page.getByRole('button', { name: 'Ask', exact: true }).click();
      await page.locator('#query-fault').waitFor();
      expect(await question.getAttribute('aria-invalid')).toBe('true');
      expect(await question.inputValue()).toBe(long);
      await page.getByRole('region', { name: 'Conversation' }).getByRole('alert').getByText('request').waitFor();
      await tests.close(shown);

      const signIn = await openConsole(tests.browser, address, '/');
      const form = signIn.page.locator('form');
      await signIn.page.getByLabel('API key').fill('no key of this service');
      await form.getByRole('button', { name: 'Sign in' }).click();
      // The service refuses the key at its field.
      await form.locator('[name=key][aria-invalid=true]').waitFor();
      await form
        .locator('#key-error')
        .getByText(/Request [0-9a-f-]{36}/)
        .waitFor();
      for (const refusal of REFUSALS.slice(2)) {
        refuser.choose(refusal);
        await signIn.page.unroute('**/v1/whoami');
        await signIn.page.route('**/v1/whoami', (route) => refuser.refuse(route));
        await form.getByRole('button', { name: 'Sign in' }).click();
        await expectAlert(form);
      }
      await tests.finish(signIn);
    });

    test('refusals of a new workspace are shown in its form', async () => {
      const { service, browser } = tests;
      await createWorkspace(service, 'Second workspace');
      const shown = await openConsole(browser, service.address, `/#key=${ROOT_KEY}`);
      const { page } = shown;
      const form = page.locator('form');
      const create = form.getByRole('button', { name: 'Create workspace' });
      await create.click();
      await form.locator('[name=name][aria-invalid=true]').waitFor();
      await form
        .getByRole('alert')
        .getByText(/Request [0-9a-f-]{36}/)
        .waitFor();
      const refuser = new Refuser();
      await page.route('**/v1/workspaces', (route) =>
        route.request().method() === 'POST' ? refuser.refuse(route) : route.continue(),
      );
      for (const refusal of REFUSALS) {
        refuser.choose(refusal);
        await create.click();
        await refuser.alert(form).waitFor();
      }
      await tests.finish(shown);
    });

    test('the service refuses changes of a deleted record, and the form says so with the request', async () => {
      const { service, workspace } = tests;
      const left = await createCollection(service, workspace, { name: 'Left' });
      const { id: doc } = await createDocument(service, left);
      const { id: chat } = await createChat(service, workspace, { title: 'Left', collection_id: left.id });
      const shown = await tests.open(`/collections/${left.id}/documents/${doc}?pane=details`);
      const { page } = shown;
      page.on('dialog', (question) => void question.accept());
      const expectRefusal = (): Promise<void> =>
        page
          .locator('form')
          .getByRole('alert')
          .filter({ hasText: 'deleted' })
          .getByText(/request [0-9a-f-]{36}/)
          .waitFor();
      await fillIn({ Name: 'kept.md' })(page);
      await service.call('DELETE', `${workspace.url}/col/${left.id}/docs/${doc}`);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expectRefusal();
      await page.goto(`${service.address}/w/${workspace.id}/chat/${chat}`);
      await page.getByRole('button', { name: 'Rename' }).click();
      await page.getByLabel('Title').fill('Kept');
      await service.call('DELETE', `${workspace.url}/chat/${chat}`);
      await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
      await expectRefusal();
      await tests.close(shown);
    });

    test('questions that cannot be read are named at their field', async () => {
      const shown = await tests.open('/evaluation');
      const { page } = shown;
      await page.getByRole('button', { name: 'Add questions' }).click();
      await page.getByRole('textbox', { name: 'Questions' }).fill('A question without a document');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.locator('[name=questions][aria-invalid=true]').waitFor();
      await page.getByText('Line 1: expected a question, a comma, and a document').waitFor();
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
      const collection = await createCollection(service, workspace, { name: 'Contracts' });
      ids['col'] = collection.id;
      ids['doc'] = (await createDocument(service, collection)).id;
      ids['chat'] = (await createChat(service, workspace, { title: 'Rent', collection_id: collection.id })).id;
      const create = async (path: string, json: object): Promise<string> => {
        const answer = await service.call<{ id: string }>('POST', `${workspace.url}/${path}`, { json });
        expect(answer.status).toBe(201);
        return answer.data.id;
      };
      ids['webhook'] = await create('webhooks', {
        name: 'Back office',
        url: 'https://hooks.invalid/quire',
        events: ['document.ready'],
        signingSecret: createWebhookSecret(),
      });
      ids['model'] = await create('config/models', {
        name: 'Answers',
        config: { provider: 'provider_b', model: 'gemini-2.5-flash', apiKey: 'example-0123456789' },
      });
    },
  },
);
