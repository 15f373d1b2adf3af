/** Edits of text files: what stands between markup, in cells or in strings; encoding and line ends stay. */
import type { Format } from '@quire/parse/formats';
import { ContentError } from '@quire/blocks/content-error';
import type { ParseContext, SourceFile } from '@quire/parse/parser';
import { finderOf, type Finder } from '../flow/finder.ts';
import { applyEdits, replaceInFlow, type Flow, type SourceEdit } from '../flow/flow.ts';
import { PlaceholderValues } from '../flow/placeholders.ts';
import type { Operation } from '../operations.ts';
import type { OperationReport } from '../report.ts';
import { csvFlows } from './csv-flows.ts';
import { readEncodedText } from './encoded-text.ts';
import { htmlFlows } from './html-flows.ts';
import { jsonFlows } from './json-flows.ts';
import { svgFlows } from './svg-flows.ts';

export async function editTextFile(
  file: SourceFile,
  operations: readonly Operation[],
  context: ParseContext,
): Promise<{ bytes: Buffer; reports: OperationReport[] }> {
  const { text, encode } = await readEncodedText(file);
  const reports: OperationReport[] = [];
  let source = text;
  for (const [index, operation] of operations.entries()) {
    const edited = apply(source, operation, file);
    source = edited.source;
    reports.push(edited.report);
    context.onProgress((index + 1) / operations.length);
  }
  return { bytes: encode(source), reports };
}

function apply(source: string, operation: Operation, file: SourceFile): { source: string; report: OperationReport } {
  if (operation.type === 'fillPlaceholders') {
    const values = new PlaceholderValues(operation.values);
    const { text, changes } = replaceAll(source, file, (part) => values.matches(part));
    return { source: text, report: { type: operation.type, changes, ...values.notes() } };
  }
  if (operation.type !== 'replaceText' && operation.type !== 'replacePattern') {
    throw new ContentError('unsupported', `${operation.type} is not for text files`);
  }
  const { text, changes } = replaceAll(source, file, finderOf(operation));
  return { source: text, report: { type: operation.type, changes } };
}

function replaceAll(source: string, file: SourceFile, find: Finder): { text: string; changes: number } {
  const edits: SourceEdit[] = [];
  let changes = 0;
  for (const flow of flowsOf(source, file.format)) {
    const found = replaceInFlow(flow, find);
    edits.push(...found.edits);
    changes += found.changes;
  }
  return { text: applyEdits(source, edits), changes };
}

function flowsOf(source: string, format: Format): Flow[] {
  if (format === 'html') return htmlFlows(source);
  if (format === 'svg') return svgFlows(source);
  if (format === 'csv') return csvFlows(source);
  if (format === 'json') return jsonFlows(source);
  const lineEnd = /\r\n|\r|\n/.exec(source)?.[0] ?? '\n';
  const encode = (text: string): { source: string } => ({ source: text });
  return [plainFlow(source, lineEnd, encode)];
}

/** The whole text, with line breaks as patterns know them; what is written gets the file's own. */
function plainFlow(source: string, lineEnd: string, encode: (text: string) => { source: string }): Flow {
  if (lineEnd !== '\r\n') return { pieces: [{ start: 0, end: source.length, text: source, encode }] };
  const pieces: Flow['pieces'] = [];
  let start = 0;
  for (const found of source.matchAll(/\r\n/g)) {
    if (found.index > start) pieces.push(line(source, start, found.index));
    pieces.push({ start: found.index, end: found.index + 2, text: '\n', encode: withLineEnds });
    start = found.index + 2;
  }
  if (start < source.length) pieces.push(line(source, start, source.length));
  return { pieces };
}

const line = (source: string, start: number, end: number): Flow['pieces'][number] => ({
  start,
  end,
  text: source.slice(start, end),
  encode: withLineEnds,
});

const withLineEnds = (text: string): { source: string } => ({ source: text.replace(/\r?\n/g, '\r\n') });
