/** Chromium for the tests of the console, with a record of faults, policy messages and requests to other hosts. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { findConsoleFolder } from '../../src/console-folder.ts';

export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) =>
  existsSync(file),
);
/** Whether the browser or the built console is missing; `npm test` builds the console. */
export const isMissing = CHROMIUM === undefined || findConsoleFolder() === undefined;

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

export interface ConsolePage {
  page: Page;
  /** Faults of scripts, messages of the security policy, and requests to other hosts. */
  faults: string[];
}

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox', '--disable-dev-shm-usage'] });

/** Opens an address of the service; `path` begins with a slash and may hold `#key=`. */
export async function openConsole(
  browser: Browser,
  address: string,
  path: string,
  options: BrowserContextOptions = {},
): Promise<ConsolePage> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    // The browser reports refused requests of its own accord; pages show them in their place.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text());
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !url.startsWith('blob:')) faults.push(`request to ${url}`);
  });
  await page.goto(`${address}${path}`);
  return { page, faults };
}

interface AxeViolation {
  id: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** Expects no violation of the accessibility rules in the present state of the page. */
export async function expectAccessible(page: Page): Promise<void> {
  // Evaluated by the debugger, which the policy of the page does not concern.
  await page.evaluate(readFileSync(AXE, 'utf8'));
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: AxeViolation[] }> } };
    return (await axe.run()).violations;
  });
  expect(violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))).toEqual([]);
}
