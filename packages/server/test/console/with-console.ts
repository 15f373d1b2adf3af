/** A service, a browser and a workspace for the tests of one file; skipped without Chromium or a built console. */
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { createWorkspace, shareChats, type TestWorkspace } from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';
import { expectAccessible, isMissing, launchBrowser, openConsole, type ConsolePage } from './browser.ts';

/** Its fields are set before the first test. */
export class ConsoleTests {
  service!: TestService;
  browser!: Browser;
  workspace!: TestWorkspace;

  /** Opens a path below the workspace, signed in with its admin key unless another is given. */
  open(path: string, key = this.workspace.admin, options: BrowserContextOptions = {}): Promise<ConsolePage> {
    return openConsole(this.browser, this.service.address, `/w/${this.workspace.id}${path}#key=${key}`, options);
  }

  /** Closes a page that had no fault. */
  async close({ page, faults }: ConsolePage): Promise<void> {
    expect(faults).toEqual([]);
    await page.context().close();
  }

  /** Closes a page that had no fault and is accessible. */
  async finish(shown: ConsolePage): Promise<void> {
    await expectAccessible(shown.page);
    await this.close(shown);
  }
}

interface Options {
  /** Settings of the service, or a function that starts what they name. */
  settings?: Record<string, string> | (() => Promise<Record<string, string>>);
  /** Prepares records before the first test. */
  prepare?: (tests: ConsoleTests) => Promise<void>;
  /** Ends what `prepare` has started. */
  end?: () => Promise<void>;
}

export function withConsole(title: string, define: (tests: ConsoleTests) => void, options: Options = {}): void {
  describe.skipIf(isMissing)(title, () => {
    const tests = new ConsoleTests();
    beforeAll(async () => {
      const settings = typeof options.settings === 'function' ? await options.settings() : options.settings;
      [tests.service, tests.browser] = await Promise.all([startTestService(settings), launchBrowser()]);
      tests.workspace = await createWorkspace(tests.service);
      // Records are created with the root key and shown with others.
      await shareChats(tests.service, tests.workspace);
      await options.prepare?.(tests);
    });
    afterAll(async () => {
      // Fields are unset if the start failed.
      await (tests.browser as Browser | undefined)?.close();
      await options.end?.();
      await (tests.service as TestService | undefined)?.stop();
    });
    define(tests);
  });
}
