// large: starts a browser
/** Every page of the console, with records on it, in both themes: accessible, and without a message of its policy. */
import { expect, test } from 'vitest';
import { createDemoWorkspace, demoPages, type DemoWorkspace } from '../demo-workspace.ts';
import { expectAccessible, openConsole } from '../browser.ts';
import { ROOT_KEY } from '../../server.ts';
import { proveInConsole } from './proof.ts';

let demo: DemoWorkspace;

proveInConsole(
  'every page',
  (tests) => {
    test.each(['light', 'dark'] as const)('is accessible and keeps the policy, %s', async (colorScheme) => {
      const found: string[] = [];
      for (const [name, path] of Object.entries(demoPages(demo))) {
        const url = `/w/${demo.ws}${path}#key=${demo.key}`;
        const { page, faults } = await openConsole(tests.browser, tests.service.address, url, { colorScheme });
        await page.locator('h1').first().waitFor();
        await page.locator('.skeleton, [aria-busy=true]').first().waitFor({ state: 'detached' });
        await expectAccessible(page).catch((error: unknown) => found.push(`${name}: ${String(error)}`));
        found.push(...faults.map((fault) => `${name}: ${fault}`));
        await page.context().close();
      }
      expect(found).toEqual([]);
    });
  },
  {
    prepare: async ({ service }) => {
      demo = await createDemoWorkspace(service.address, ROOT_KEY);
    },
  },
);
