/** The installed Chromium, driven by Playwright, for tests of pages and of code that runs in browsers. */
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Path of the browser; undefined where none is installed, in which case tests that need it are skipped. */
export const CHROMIUM: string | undefined = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((file) => existsSync(file));

/** Starts the browser without a window, on a profile of its own, which `close()` removes. */
export function startChromium(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('no Chromium is installed');
  // Containers have a small /dev/shm, which makes pages crash.
  return chromium.launch({ executablePath: CHROMIUM, args: ['--disable-dev-shm-usage'] });
}
