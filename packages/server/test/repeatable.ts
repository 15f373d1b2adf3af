/** Property tests explore with a new seed at every run at home; in CI a change is judged by the same cases each time. */
import fc from 'fast-check';

if (process.env['CI'] !== undefined) fc.configureGlobal({ seed: 20_261_121 });
