/**
 * Draws the pictures of the console: `npm run screenshots [-- FOLDER]`. It starts a service of its own with example
 * records and writes the pictures of the guide to `docs/pictures`, or one of them with `--only chat-phone`. With a
 * folder it also writes every page there, at 1440 and 390 px in both themes; with `--pages keys,audit` only these, and
 * no pictures of the guide. `--tall` makes the windows 1,800 px high, to see what is below the fold.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { launchBrowser, openConsole, type ConsolePage } from '../packages/server/test/console/browser.ts';
import {
  createDemoWorkspace,
  DEMO_QUESTIONS,
  demoPages,
  startDemoHooks,
  type DemoWorkspace,
} from '../packages/server/test/console/demo-workspace.ts';
import { removeDirectory, startService } from '../packages/server/test/service-process.ts';

const GUIDE = path.resolve(import.meta.dirname, '../docs/pictures');
const MAX_BYTES = 150_000;
const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };

type Browser = Awaited<ReturnType<typeof launchBrowser>>;
type Page = ConsolePage['page'];
type Theme = 'light' | 'dark';
type PageName = keyof ReturnType<typeof demoPages>;

interface Picture {
  page: PageName;
  theme: Theme;
  isNarrow: boolean;
}

const picture = (page: PageName, theme: Theme = 'light', isNarrow = false): Picture => ({ page, theme, isNarrow });

/** The pictures of README and guide. */
const PICTURES: readonly Picture[] = [
  picture('start'),
  picture('documents'),
  picture('document'),
  picture('search'),
  picture('evaluation'),
  picture('chat'),
  picture('chat', 'dark'),
  picture('run'),
  picture('webhooks', 'dark'),
  picture('chat', 'light', true),
];

/** Steps on a page before it is drawn. */
const STEPS: Partial<Record<PageName, (page: Page) => Promise<unknown>>> = {
  document: async (page) => {
    await page.getByRole('list', { name: 'Chunks' }).getByRole('button').first().click();
    for (const part of ['Terms by weight', 'Nearest chunks']) await page.getByText(part).waitFor();
  },
  evaluation: async (page) => {
    await page.getByRole('button', { name: /^Run / }).click();
    await page.getByText('nDCG@10').waitFor();
  },
  chat: async (page) => {
    await page.getByRole('button', { name: 'Source 1' }).first().click();
    await page.getByRole('complementary', { name: 'Source' }).locator('figure img').waitFor();
  },
  run: (page) =>
    page
      .getByRole('button', { name: /confidence/ })
      .first()
      .click(),
  search: (page) => page.locator('mark').first().waitFor(),
  // Rates need two readings.
  'system-root': (page) => page.getByText('CPU of this process').waitFor(),
};

async function draw(browser: Browser, address: string, demo: DemoWorkspace, wanted: Picture): Promise<Buffer> {
  const { page: name, theme, isNarrow } = wanted;
  const { page } = await openConsole(browser, address, '/icon.svg', {
    viewport: isNarrow ? NARROW : WIDE,
    colorScheme: theme,
  });
  const questions = JSON.stringify(JSON.stringify(DEMO_QUESTIONS));
  await page.evaluate(`localStorage.setItem('quire.evaluation.${demo.ws}', ${questions})`);
  await page.goto(`${address}${demoPages(demo)[name]}`);
  await settle(page);
  // A phone shows less; a step that is not possible there leaves the page as it is.
  await STEPS[name]?.(page).catch((error: unknown) => console.error(`${name}: ${String(error).split('\n')[0]}`));
  await page.mouse.move(0, 0);
  await settle(page);
  const shot = await page.screenshot();
  await page.context().close();
  return shot;
}

/** Waits until nothing is loading. */
async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.locator('.skeleton, [aria-busy=true]').first().waitFor({ state: 'detached' });
  await page.evaluate('Promise.all([...document.images].map((each) => each.decode().catch(() => undefined)))');
}

async function writeWebp(file: string, png: Buffer): Promise<void> {
  for (const quality of [86, 76, 66]) {
    const webp = await sharp(png).webp({ quality }).toBuffer();
    if (webp.length > MAX_BYTES) continue;
    writeFileSync(file, webp);
    return;
  }
  throw new Error(`${file} has more than ${MAX_BYTES} bytes`);
}

const nameOf = ({ page, theme, isNarrow }: Picture): string =>
  [page, theme === 'dark' && 'dark', isNarrow && 'phone'].filter(Boolean).join('-');

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { only: { type: 'string' }, pages: { type: 'string' }, tall: { type: 'boolean', default: false } },
  });
  const folder = positionals[0];
  const chosen = values.pages?.split(',');
  if (values.tall) WIDE.height = NARROW.height = 1_800;
  const hooks = await startDemoHooks();
  const service = await startService({ env: hooks.env });
  const browser = await launchBrowser();
  try {
    const demo = await createDemoWorkspace(service.address, service.rootKey, hooks.url);
    mkdirSync(GUIDE, { recursive: true });
    const isWanted = (each: Picture): boolean => chosen === undefined && (values.only ?? nameOf(each)) === nameOf(each);
    for (const each of PICTURES.filter(isWanted))
      await writeWebp(
        path.join(GUIDE, `console-${nameOf(each)}.webp`),
        await draw(browser, service.address, demo, each),
      );
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    const names = Object.keys(demoPages(demo)) as PageName[];
    for (const name of names.filter((each) => chosen?.includes(each) ?? true))
      for (const theme of ['light', 'dark'] as const)
        for (const isNarrow of [false, true]) {
          const wanted = picture(name, theme, isNarrow);
          writeFileSync(path.join(folder, `${nameOf(wanted)}.png`), await draw(browser, service.address, demo, wanted));
        }
  } finally {
    await browser.close();
    await service.stop();
    await hooks.close();
    removeDirectory(service.dataDir);
  }
}

await main();
