/**
 * Edits zip-based office files: text across runs, placeholders and cells. Parts that no edit touches stay byte for
 * byte.
 */
import { openSync, closeSync } from 'node:fs';
import { ContentError } from '@quire/blocks/content-error';
import { OfficePackage } from '@quire/parse/office/package/office-package';
import type { ParseContext, SourceFile } from '@quire/parse/parser';
import { matchFinder } from '../replace/match-finder.ts';
import type { OutputBudget } from '../replace/output-budget.ts';
import { addEdits, applyEdits, replaceInText, type TextEdits } from '../replace/split-text.ts';
import type { Operation } from '../operations.ts';
import type { OperationReport } from '../report.ts';
import { fillPlaceholders } from './fill-placeholders.ts';
import { rewritePackage } from './package-writer.ts';
import { OpenParts } from './open-parts.ts';
import { readTexts, type PartTexts } from './package-texts.ts';
import { setCell } from './set-cell.ts';

export async function editOfficeFile(
  file: SourceFile,
  operations: readonly Operation[],
  context: ParseContext,
  budget: OutputBudget,
): Promise<{ bytes: Buffer; reports: OperationReport[] }> {
  return OfficePackage.use(file, context, async (officePackage) => {
    const parts = new OpenParts(officePackage);
    const reports: OperationReport[] = [];
    for (const [index, operation] of operations.entries()) {
      reports.push(apply(parts, operation, budget));
      context.onProgress((index + 1) / operations.length);
    }
    const descriptor = openSync(file.path, 'r');
    try {
      return { bytes: await rewritePackage(descriptor, parts.changes()), reports };
    } finally {
      closeSync(descriptor);
    }
  });
}

function apply(parts: OpenParts, operation: Operation, budget: OutputBudget): OperationReport {
  const { type } = operation;
  if (type === 'fillPlaceholders') return fillPlaceholders(parts, operation, budget, (fill) => editTexts(parts, fill));
  if (type === 'setCell') return setCell(parts, operation);
  if (type !== 'replaceText' && type !== 'replacePattern') {
    throw new ContentError('unsupported', `${type} cannot be applied to office files`);
  }
  const find = matchFinder(operation, budget);
  return { type, changes: editTexts(parts, ({ texts }) => merged(texts, find)) };
}

function merged(texts: PartTexts['texts'], find: ReturnType<typeof matchFinder>): TextEdits {
  const all: TextEdits = { edits: [], changes: 0 };
  for (const splitText of texts) addEdits(all, replaceInText(splitText, find));
  return all;
}

function editTexts(parts: OpenParts, edit: (part: PartTexts, source: string) => TextEdits): number {
  let total = 0;
  for (const name of parts.textParts()) {
    const source = parts.read(name);
    const { edits, changes } = edit(readTexts(source), source);
    if (edits.length > 0) parts.write(name, applyEdits(source, edits));
    total += changes;
  }
  return total;
}
