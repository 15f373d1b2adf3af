// large: starts a browser
/** Actions by permission of the key, errors at their fields, a base path, and an address of the network over HTTP. */
import { networkInterfaces } from 'node:os';
import type { Browser } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { createCollection, createDocument, createKey, createWorkspace } from '../../factories.ts';
import { startTestService, type TestService } from '../../server.ts';
import { launchBrowser, openConsole } from '../browser.ts';
import { describeProof, proveInConsole } from './proof.ts';

/** Buttons of the pages, and the permission that each needs. */
const ACTIONS = [
  ['/collections', 'New collection', 'admin'],
  ['{col}', 'Add files', 'write'],
  ['{col}?view=settings', 'Save', 'admin'],
  ['/runs', 'New run', 'write'],
  ['/connectors', 'New connector', 'admin'],
  ['/configurations', 'New language model', 'admin'],
  ['/webhooks', 'New webhook', 'admin'],
  ['/keys', 'New key', 'admin'],
  ['{doc}?pane=details', 'Replace the content', 'write'],
  ['{doc}?pane=details', 'Delete this document', 'write'],
  ['/chat/{chat}', 'Rename', 'write'],
] as const;
const LEVELS = ['read', 'write', 'admin'] as const;

proveInConsole('keys and errors', (tests) => {
  test('each action is possible with its permission; without it, it says which one it needs', async () => {
    const { service, workspace } = tests;
    const collection = await createCollection(service, workspace);
    const document = await createDocument(service, collection);
    const chat = await service.call<{ id: string }>('POST', `${workspace.url}/chat`, {
      json: { collection_id: collection.id },
    });
    const places: Record<string, string> = {
      '{col}': `/collections/${collection.id}`,
      '{doc}': `/collections/${collection.id}/documents/${document.id}`,
      '{chat}': chat.data.id,
    };
    const found: Record<string, string[]> = {};
    for (const level of LEVELS) {
      const key = await createKey(service, workspace, { permission: level });
      const shown = await tests.open('/collections', key);
      const { page } = shown;
      for (const [path, name] of ACTIONS) {
        const at = path.replace(/\{\w+\}/, (place) => places[place]!);
        await page.goto(`${service.address}/w/${workspace.id}${at}`);
        // Lists that need a permission show the refusal in place of the rows, and the button above them.
        const button = page.getByRole('button', { name, exact: true }).first();
        await button.waitFor();
        const isOff = (await button.getAttribute('aria-disabled')) === 'true';
        if (!isOff) (found[`${path} ${name}`] ??= []).push(level);
      }
      await tests.close(shown);
    }
    const expected = ACTIONS.map(([path, name, needed]) => [`${path} ${name}`, LEVELS.slice(LEVELS.indexOf(needed))]);
    expect(found).toEqual(Object.fromEntries(expected) as object);
  });

  test('every error of a form is shown at its field, and one without a field above the buttons with its request', async () => {
    const shown = await tests.open('/collections?new=1');
    const { page } = shown;
    const cases = [
      [422, 'name', { detail: [{ loc: ['body', 'name'], msg: 'Fault A', type: 't' }] }],
      [409, 'name', { detail: [{ loc: ['body', 'name'], msg: 'Fault B', type: 'conflict' }] }],
      [400, 'description', { detail: [{ loc: ['body', 'description'], msg: 'Fault C', type: 't' }] }],
      [403, '', { detail: [{ loc: [], msg: 'Fault D', type: 'permission' }] }],
      [404, '', { detail: [{ loc: [], msg: 'Fault E', type: 'not_found' }] }],
      [413, '', { detail: [{ loc: ['body'], msg: 'Fault F', type: 'too_large' }] }],
      [429, '', { detail: [{ loc: [], msg: 'Fault G', type: 'rate_limit' }] }],
      [500, '', { detail: [{ loc: [], msg: 'Fault H', type: 'internal' }] }],
      [503, '', { detail: [{ loc: [], msg: 'Fault I', type: 'unavailable' }] }],
    ] as const;
    let current: (typeof cases)[number];
    // The service decides alone which errors it has; here each is sent in its form, to see where it is shown.
    await page.route('**/v1/w/*/col', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: current[0],
            json: current[2],
            headers: { 'x-request-id': 'request-1', 'retry-after': '1' },
          })
        : route.continue(),
    );
    await page.getByRole('textbox', { name: 'Name' }).fill('A name');
    for (current of cases) {
      const [status, field] = current;
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      if (field !== '') {
        const input = page.locator(`[name=${field}][aria-invalid=true]`);
        await input.waitFor();
        const described = (await input.getAttribute('aria-describedby')) ?? '';
        const texts = await Promise.all(described.split(' ').map((id) => page.locator(`[id="${id}"]`).textContent()));
        expect(texts.join(' ')).toContain(current[2].detail[0].msg);
      } else {
        const alert = page.getByRole('dialog').getByRole('alert');
        await alert.waitFor();
        expect([status, (await alert.textContent())?.includes('request-1')]).toEqual([status, true]);
      }
    }
    await page.context().close();
  });
});

describeProof('addresses', () => {
  const ending: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ending.splice(0).toReversed()) await end();
  });

  async function start(settings: Record<string, string>): Promise<[TestService, Browser]> {
    const [service, browser] = await Promise.all([startTestService(settings), launchBrowser()]);
    ending.push(
      () => service.stop(),
      () => browser.close(),
    );
    return [service, browser];
  }

  async function walk(service: TestService, browser: Browser, address: string, base: string): Promise<void> {
    const workspace = await createWorkspace(service);
    const collection = await createCollection(service, workspace, { name: 'Leases' });
    await createDocument(service, collection, { name: 'hours.md', content: 'It closes at eight on Thursdays.' });
    const { page, faults } = await openConsole(browser, address, `${base}/#key=${workspace.admin}`);
    await page.getByRole('link', { name: 'Collections' }).first().click();
    await page.getByRole('link', { name: 'Leases' }).click();
    await page.getByRole('link', { name: 'hours.md' }).click();
    await page.getByText('It closes at eight on Thursdays.').first().waitFor();
    expect(new URL(page.url()).pathname.startsWith(`${base}/w/${workspace.id}/collections/`)).toBe(true);
    await page.reload();
    await page.getByText('It closes at eight on Thursdays.').first().waitFor();
    await page.getByRole('link', { name: 'Details' }).click();
    // Pages over plain HTTP have no clipboard of their own.
    await page.getByRole('button', { name: /copy/i }).first().click();
    await page.getByText('copied').first().waitFor();
    await page.goto(`${address}${base}/w/${workspace.id}/search?q=Thursdays`);
    await page.locator('mark').first().waitFor();
    expect(faults).toEqual([]);
  }

  test('the console works below a base path', async () => {
    const [service, browser] = await start({ QUIRE_BASE_PATH: '/quire' });
    await walk(service, browser, service.address.replace(/\/quire$/, ''), '/quire');
  });

  const lan = Object.values(networkInterfaces())
    .flat()
    .find((each) => each?.family === 'IPv4' && !each.internal)?.address;

  test.skipIf(lan === undefined)('the console works at an address of the network over plain HTTP', async () => {
    const [service, browser] = await start({ QUIRE_HOST: '0.0.0.0' });
    const { port } = new URL(service.address);
    const local = { ...service, address: `http://${lan}:${port}` };
    await walk(local, browser, local.address, '');
  });
});
