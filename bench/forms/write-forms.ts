/**
 * `npm run bench:forms -- FOLDER`: writes generated agreements, invoices, receipts and office papers with their values,
 * for `npm run bench:extraction -- --data FOLDER --tools ../shared/eval/tools`. The tuning half serves to find causes,
 * the checking half to decide: they differ in seeds, layouts, names and most words.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { agreements } from './agreements.ts';
import type { Half } from './form.ts';
import { invoices } from './invoices.ts';
import { mixedInvoices } from './mixed-invoices.ts';
import { pdfOf } from './pdf-page.ts';
import { Random } from './random.ts';
import { CHECKING_PAPERS } from './papers/checking-papers.ts';
import { TUNING_PAPERS } from './papers/tuning-papers.ts';
import { receipts } from './receipts.ts';

const FORMS_PER_LAYOUT = 10;
const SEEDS: Readonly<Record<Half, number>> = { tuning: 20_261_123, checking: 74_093 };

const PAPERS_PER_LAYOUT = 5;
const PAPERS = { tuning: TUNING_PAPERS, checking: CHECKING_PAPERS };

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder to write to');

for (const { name, schema, layouts } of [agreements, invoices, mixedInvoices(invoices.schema), receipts])
  for (const half of ['tuning', 'checking'] as const) {
    const directory = path.join(folder, 'data', 'extraction', `${name}-${half}`);
    mkdirSync(directory, { recursive: true });
    const random = new Random(SEEDS[half]);
    const rows = layouts[half].flatMap((layout) =>
      Array.from({ length: FORMS_PER_LAYOUT }, (_, at) => {
        const form = layout(random);
        const file = `${form.layout.replaceAll(' ', '-')}-${at + 1}`;
        writeFileSync(path.join(directory, `${file}.pdf`), pdfOf(form.pages));
        writeFileSync(path.join(directory, `${file}.gold.json`), JSON.stringify(form.gold, null, 1));
        return { file: `${file}.pdf`, gold: `${file}.gold.json` };
      }),
    );
    writeFileSync(path.join(directory, 'schema.json'), JSON.stringify(schema, null, 1));
    writeFileSync(path.join(directory, 'manifest.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    console.log(`${directory}: ${rows.length} files`);
  }

for (const half of ['tuning', 'checking'] as const) {
  const directory = path.join(folder, 'data', 'extraction', `papers-${half}`);
  mkdirSync(directory, { recursive: true });
  const random = new Random(SEEDS[half]);
  const rows = PAPERS[half].flatMap((layout) =>
    Array.from({ length: PAPERS_PER_LAYOUT }, (_, at) => {
      const paper = layout(random);
      const name = paper.layout.replaceAll(' ', '-');
      const file = `${name}-${at + 1}`;
      const written = `${file}.${paper.html === undefined ? 'pdf' : 'html'}`;
      writeFileSync(path.join(directory, written), paper.html ?? pdfOf(paper.pages));
      writeFileSync(path.join(directory, `${file}.gold.json`), JSON.stringify(paper.gold, null, 1));
      writeFileSync(path.join(directory, `${name}.schema.json`), JSON.stringify(paper.schema, null, 1));
      return { file: written, gold: `${file}.gold.json`, schema: `${name}.schema.json` };
    }),
  );
  writeFileSync(path.join(directory, 'manifest.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  console.log(`${directory}: ${rows.length} files`);
}
