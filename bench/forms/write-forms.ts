/**
 * `npm run bench:forms -- FOLDER`: writes generated agreements, invoices and receipts as PDF files with their values,
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
import { receipts } from './receipts.ts';

const FORMS_PER_LAYOUT = 10;
const SEEDS: Readonly<Record<Half, number>> = { tuning: 20_261_123, checking: 74_093 };

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
