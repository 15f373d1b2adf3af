/** Edits text files: text between markup, in cells or in strings. Encoding and line ends stay unchanged. */
import type { Format } from '@quire/parse/formats';
import { ContentError } from '@quire/blocks/content-error';
import type { ParseContext, SourceFile } from '@quire/parse/parser';
import { matchFinder, type MatchFinder } from '../replace/match-finder.ts';
import type { OutputBudget } from '../replace/output-budget.ts';
import { addEdits, applyEdits, replaceInText, type SplitText, type TextEdits } from '../replace/split-text.ts';
import { PlaceholderValues } from '../replace/placeholders.ts';
import type { Operation } from '../operations.ts';
import type { OperationReport } from '../report.ts';
import { csvTexts } from './csv-texts.ts';
import { readEncodedText } from './encoded-text.ts';
import { htmlTexts } from './html-texts.ts';
import { jsonTexts } from './json-texts.ts';
import { svgTexts } from './svg-texts.ts';

export async function editTextFile(
  file: SourceFile,
  operations: readonly Operation[],
  context: ParseContext,
  budget: OutputBudget,
): Promise<{ bytes: Buffer; reports: OperationReport[] }> {
  const { text, encode } = await readEncodedText(file);
  const reports: OperationReport[] = [];
  let source = text;
  for (const [index, operation] of operations.entries()) {
    const edited = apply(source, operation, file, budget);
    source = edited.source;
    reports.push(edited.report);
    context.onProgress((index + 1) / operations.length);
  }
  return { bytes: encode(source), reports };
}

function apply(
  source: string,
  operation: Operation,
  file: SourceFile,
  budget: OutputBudget,
): { source: string; report: OperationReport } {
  if (operation.type === 'fillPlaceholders') {
    const values = new PlaceholderValues(operation.values, budget);
    const { text, changes } = replaceAll(source, file, (part) => values.matches(part));
    return { source: text, report: { type: operation.type, changes, ...values.notes() } };
  }
  if (operation.type !== 'replaceText' && operation.type !== 'replacePattern') {
    throw new ContentError('unsupported', `${operation.type} cannot be applied to text files`);
  }
  const { text, changes } = replaceAll(source, file, matchFinder(operation, budget));
  return { source: text, report: { type: operation.type, changes } };
}

function replaceAll(source: string, file: SourceFile, find: MatchFinder): { text: string; changes: number } {
  const all: TextEdits = { edits: [], changes: 0 };
  for (const splitText of textsOf(source, file.format)) addEdits(all, replaceInText(splitText, find));
  return { text: applyEdits(source, all.edits), changes: all.changes };
}

function textsOf(source: string, format: Format): SplitText[] {
  if (format === 'html') return htmlTexts(source);
  if (format === 'svg') return svgTexts(source);
  if (format === 'csv') return csvTexts(source);
  if (format === 'json') return jsonTexts(source);
  const lineEnd = /\r\n|\r|\n/.exec(source)?.[0] ?? '\n';
  const encode = (text: string): { source: string } => ({ source: text });
  return [plainText(source, lineEnd, encode)];
}

/**
 * Returns the whole text as one split text, with line feed breaks for matching; replacements are written with the
 * file's line ends.
 */
function plainText(source: string, lineEnd: string, encode: (text: string) => { source: string }): SplitText {
  if (lineEnd !== '\r\n') return { pieces: [{ start: 0, end: source.length, text: source, encode }] };
  const pieces: SplitText['pieces'] = [];
  let start = 0;
  for (const found of source.matchAll(/\r\n/g)) {
    if (found.index > start) pieces.push(line(source, start, found.index));
    pieces.push({ start: found.index, end: found.index + 2, text: '\n', encode: withLineEnds });
    start = found.index + 2;
  }
  if (start < source.length) pieces.push(line(source, start, source.length));
  return { pieces };
}

const line = (source: string, start: number, end: number): SplitText['pieces'][number] => ({
  start,
  end,
  text: source.slice(start, end),
  encode: withLineEnds,
});

const withLineEnds = (text: string): { source: string } => ({ source: text.replace(/\r?\n/g, '\r\n') });
