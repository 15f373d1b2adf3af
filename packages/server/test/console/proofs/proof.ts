/** Proofs take minutes; `npm run console-proofs` runs them, and the usual run of the tests skips them. */
import { describe } from 'vitest';
import { isMissing } from '../browser.ts';
import { withConsole } from '../with-console.ts';

const IS_OFF = process.env['QUIRE_TEST_CONSOLE_PROOFS'] !== 'true';

export const describeProof = describe.skipIf(IS_OFF || isMissing);

export const proveInConsole: typeof withConsole = (...given) => {
  describe.skipIf(IS_OFF)('proofs', () => withConsole(...given));
};
