/**
 * Property tests of all packages use a fixed seed, so that every run tests the same cases. `QUIRE_TEST_SEED=random npm
 * test` explores new cases; fast-check prints the seed of a failure, which `QUIRE_TEST_SEED=<seed>` repeats.
 */
import fc from 'fast-check';

const DEFAULT_SEED = 20_261_121;

const seed = process.env['QUIRE_TEST_SEED'];
if (seed !== 'random') fc.configureGlobal({ seed: seed === undefined ? DEFAULT_SEED : Number(seed) });
