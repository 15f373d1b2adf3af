/**
 * Makes question sets from `everyday.tsv`: `npm run bench:everyday -- FOLDER OUT`. The folder holds one folder for each
 * package and repository that `everyday.md` names. Each language has three sets of each half, such as `de/tuning`,
 * `de/tuning-removed` and `de/tuning-foreign`, over the documents of all languages.
 */
import path from 'node:path';
import { sourcesIn } from './documents.ts';
import { drawnFrom, rowsOf, writeHalves } from './question-sets.ts';

const [folder, out] = process.argv.slice(2);
if (folder === undefined || out === undefined) throw new Error('Usage: npm run bench:everyday -- FOLDER OUT');
const sources = sourcesIn('everyday-sources.tsv', folder);
const rows = rowsOf('everyday.tsv');
for (const language of ['de', 'fr', 'es']) {
  const drawn = rows.flatMap(([spoken, ...row], index) =>
    spoken === language ? [drawnFrom(sources, `everyday-${index + 1}`, row)] : [],
  );
  writeHalves(path.join(out, language), '', sources, drawn);
}
