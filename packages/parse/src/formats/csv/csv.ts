/**
 * Reads CSV and its variants (semicolons, tabs, bars) as table blocks. The file is read in pieces, and a large table
 * becomes many blocks that each repeat the header row.
 */
import { Readable } from 'node:stream';
import Papa from 'papaparse';
import type { BlockDraft, ParsedContent } from '@quire/blocks/block';
import { contentWarning } from '@quire/blocks/content-warning';
import { type Delimiter, guessDelimiter, hasHeader, sampleRows, titleRows } from './csv-dialect.ts';
import type { FormatReader } from '../../parser.ts';
import { RowTables } from '../../structure/row-tables.ts';
import { textPieces } from '../../encoding/text-file.ts';

const SAMPLE_LENGTH = 64 * 1024;

interface Dialect {
  delimiter: Delimiter;
  /** Number of rows above the table, such as a title or an export date. */
  titles: number;
  header: boolean;
  /** False if a quote is never closed; then quotes are ordinary characters. */
  quoted: boolean;
}

export const reader: FormatReader = {
  parse: async (file, context) => {
    const { signal } = context;
    let sample = '';
    for await (const piece of textPieces(file, signal)) {
      sample += piece;
      if (sample.length >= SAMPLE_LENGTH) break;
    }
    const isWhole = sample.length < SAMPLE_LENGTH;
    const dialect = guessDialect(sample.slice(0, SAMPLE_LENGTH), isWhole);
    return parseRows(() => textPieces(file, signal), dialect);
  },
};

function guessDialect(sample: string, isWhole: boolean): Dialect {
  const delimiter = guessDelimiter(sample, isWhole);
  const rows = sampleRows(sample, delimiter, isWhole);
  const body = isSeparatorLine(rows[0], delimiter) ? rows.slice(1) : rows;
  const titles = titleRows(body);
  return { delimiter, titles, header: hasHeader(body.slice(titles)), quoted: true };
}

/** Recognises `sep=;` in the first line, an instruction to Excel. */
function isSeparatorLine(row: readonly string[] | undefined, delimiter: Delimiter): boolean {
  return row !== undefined && row.join(delimiter).replace(/^\ufeff/, '') === `sep=${delimiter}`;
}

type TextSource = () => AsyncIterable<string>;

async function parseRows(source: TextSource, dialect: Dialect): Promise<ParsedContent> {
  const tables = new RowTables();
  const titles: BlockDraft[] = [];
  let count = 0;
  const complete = await eachRow(source, dialect, (row) => {
    if (count === 0 && isSeparatorLine(row, dialect.delimiter)) return;
    if (count < dialect.titles) titles.push({ type: 'paragraph', text: row.join(' ').trim() });
    else if (count === dialect.titles && dialect.header) tables.setHeader(row);
    else tables.add(row);
    count += 1;
  });
  if (!complete && dialect.quoted) {
    const again = await parseRows(source, { ...dialect, quoted: false });
    return {
      ...again,
      warnings: [
        contentWarning('simplified', 'A quoted field is never closed: quotation marks were read as text'),
        ...again.warnings,
      ],
    };
  }
  const blocks = [...titles, ...tables.end()];
  const warnings = tables.truncated
    ? [contentWarning('simplified', 'The table is very large: its later rows are kept as text')]
    : [];
  return { blocks, pageCount: null, title: null, warnings };
}

/** Calls `onRow` with each row that is not blank. Returns false if a quoted field was still open at the end. */
function eachRow(source: TextSource, dialect: Dialect, onRow: (row: string[]) => void): Promise<boolean> {
  const stream = Readable.from(source(), { objectMode: true });
  let closed = true;
  return new Promise((resolve, reject) => {
    stream.once('error', reject);
    Papa.parse<string[]>(stream, {
      delimiter: dialect.delimiter,
      // A NUL as quote character disables quotes, because the text contains none.
      quoteChar: dialect.quoted ? '"' : '\0',
      skipEmptyLines: 'greedy',
      step: ({ data, errors }) => {
        if (errors.some((error) => error.code === 'MissingQuotes')) closed = false;
        onRow(data);
      },
      complete: () => resolve(closed),
      error: reject,
    });
  });
}
