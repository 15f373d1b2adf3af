// large: starts a browser
/**
 * Every page of the console, with records on it: accessible in both themes, without a message of its policy, and
 * usable in narrow windows.
 */
import { expect, test } from 'vitest';
import { createDemoWorkspace, demoPages, type DemoWorkspace } from '../demo-workspace.ts';
import { expectAccessible, openConsole } from '../browser.ts';
import { ROOT_KEY } from '../../server.ts';
import { proveInConsole } from './proof.ts';

let demo: DemoWorkspace;

/** Elements that go beyond the right edge and cannot be scrolled to within their part of the page. */
const TOO_WIDE = `[...document.querySelectorAll('#main *, [role=dialog] *')].filter((element) => {
  const { right, width } = element.getBoundingClientRect();
  if (width === 0 || right <= innerWidth + 1) return false;
  for (let at = element; at !== null && at.id !== 'main'; at = at.parentElement)
    if (getComputedStyle(at).overflowX !== 'visible' && at.getBoundingClientRect().right <= innerWidth + 1) return false;
  return true;
}).map((element) => element.outerHTML.slice(0, 200))`;

proveInConsole(
  'every page',
  (tests) => {
    test.each(['light', 'dark'] as const)('is accessible and keeps the policy, %s', async (colorScheme) => {
      const found: string[] = [];
      for (const [name, url] of Object.entries(demoPages(demo))) {
        const { page, faults } = await openConsole(tests.browser, tests.service.address, url, { colorScheme });
        await page.locator('h1').first().waitFor();
        await page.locator('.skeleton, [aria-busy=true]').first().waitFor({ state: 'detached' });
        await expectAccessible(page).catch((error: unknown) => found.push(`${name}: ${String(error)}`));
        found.push(...faults.map((fault) => `${name}: ${fault}`));
        await page.context().close();
      }
      expect(found).toEqual([]);
    });

    // 1,280 by 1,024 pixels at 400 % are 320 by 256.
    test.each([
      { name: 'a phone of 360 pixels', viewport: { width: 360, height: 740 } },
      { name: 'a zoom of 400 %', viewport: { width: 320, height: 256 } },
    ])('fits into the width of $name, and leaves room for its content', async ({ viewport }) => {
      const found: string[] = [];
      for (const [name, url] of Object.entries(demoPages(demo))) {
        const { page } = await openConsole(tests.browser, tests.service.address, url, { viewport });
        await page.locator('h1').first().waitFor();
        await page.locator('.skeleton, [aria-busy=true]').first().waitFor({ state: 'detached' });
        const wide = await page.evaluate<string[]>(TOO_WIDE);
        found.push(...wide.map((html) => `${name}: ${html}`));
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
