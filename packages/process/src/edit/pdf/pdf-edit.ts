/**
 * Edits PDFs. First PDFium rewrites the file completely, without encryption and earlier revisions. The structure is
 * edited with pdf-lib; redaction (redact/) uses both. Objects without a reference are not written.
 */
import type { PDFDocument } from '@cantoo/pdf-lib';
import { ContentError } from '@quire/blocks/content-error';
import { withPdf } from '@quire/parse/formats/pdf/document';
import type { ParseContext, SourceFile } from '@quire/parse/parser';
import type { Operation, OperationOf } from '../operations.ts';
import type { OutputBudget } from '../replace/output-budget.ts';
import type { OperationReport } from '../report.ts';
import { appendFiles } from './append-files.ts';
import { fillForm } from './fill-form.ts';
import { arrangePages, movedOrder, requireEveryPage } from './arrange-pages.ts';
import { openPdf, savePdf } from './open-pdf.ts';
import { pagesIn } from './page-range.ts';
import { redact } from './redact/redact.ts';
import { rewriteWhole } from './rewrite-whole.ts';
import { rotatePages } from './rotate-pages.ts';
import { stampText } from './stamp-text.ts';

const MAX_OUTPUTS = 200;

export async function editPdf(
  file: SourceFile,
  operations: readonly Operation[],
  siblings: readonly SourceFile[],
  context: ParseContext,
  budget: OutputBudget,
): Promise<{ files: Uint8Array[]; reports: OperationReport[] }> {
  let bytes = await withPdf(file.path, async (document) => rewriteWhole(document));
  const reports: OperationReport[] = [];
  for (const [index, operation] of operations.entries()) {
    context.signal.throwIfAborted();
    if (operation.type === 'splitPages') {
      if (index < operations.length - 1) {
        throw new ContentError('unsupported', 'splitPages must be the last operation: it makes several files');
      }
      const files = await split(bytes, operation, budget);
      reports.push({ type: operation.type, changes: files.length });
      return { files, reports };
    }
    const edited = await apply(bytes, operation, siblings, context, budget);
    bytes = edited.bytes;
    budget.requireWithin(bytes.length);
    reports.push(edited.report);
    context.onProgress((index + 1) / operations.length);
  }
  return { files: [bytes], reports };
}

interface Edited {
  bytes: Uint8Array;
  report: OperationReport;
}

async function apply(
  bytes: Uint8Array,
  operation: Operation,
  siblings: readonly SourceFile[],
  context: ParseContext,
  budget: OutputBudget,
): Promise<Edited> {
  if (operation.type === 'redact') return redact(bytes, operation, context);

  const document = await openPdf(bytes);
  const report =
    operation.type === 'appendFiles'
      ? await appendFiles(document, operation, siblings, budget)
      : await change(document, operation, budget);
  return { bytes: await savePdf(document), report };
}

async function change(document: PDFDocument, operation: Operation, budget: OutputBudget): Promise<OperationReport> {
  const pageCount = document.getPageCount();
  const all = Array.from({ length: pageCount }, (_, index) => index);
  const { type } = operation;
  switch (operation.type) {
    case 'fillForm':
      return fillForm(document, operation);
    case 'keepPages': {
      const kept = new Set(pagesIn(operation.pages, pageCount));
      arrangePages(
        document,
        all.filter((index) => kept.has(index)),
      );
      return { type, changes: pageCount - kept.size };
    }
    case 'removePages': {
      const removed = new Set(pagesIn(operation.pages, pageCount));
      if (removed.size === pageCount) throw new ContentError('unsupported', 'A document must keep at least one page');
      arrangePages(
        document,
        all.filter((index) => !removed.has(index)),
      );
      return { type, changes: removed.size };
    }
    case 'movePages':
      return reorder(document, type, movedOrder(operation, pageCount));
    case 'reorderPages':
      requireEveryPage(operation.order, pageCount);
      return reorder(
        document,
        type,
        operation.order.map((page) => page - 1),
      );
    case 'rotatePages':
      return rotatePages(document, operation);
    case 'stampText':
      return stampText(document, operation, budget);
    case 'redact':
    case 'appendFiles':
    case 'splitPages':
    case 'replaceText':
    case 'replacePattern':
    case 'fillPlaceholders':
    case 'setCell':
      throw new ContentError('unsupported', `${type} cannot be applied to PDF files`);
  }
}

function reorder(document: PDFDocument, type: Operation['type'], order: readonly number[]): OperationReport {
  arrangePages(document, order);
  return { type, changes: order.filter((page, index) => page !== index).length };
}

async function split(
  bytes: Uint8Array,
  { ranges, every }: OperationOf<'splitPages'>,
  budget: OutputBudget,
): Promise<Uint8Array[]> {
  const pageCount = (await openPdf(bytes)).getPageCount();
  const groups = ranges?.map((range) => pagesIn(range, pageCount)) ?? groupsOf(pageCount, every ?? 1);
  if (groups.length > MAX_OUTPUTS) {
    throw new ContentError('too_large', `The split would make ${groups.length} files; at most ${MAX_OUTPUTS}`);
  }
  const files: Uint8Array[] = [];
  let writtenBytes = 0;
  for (const group of groups) {
    const document = await openPdf(bytes);
    arrangePages(document, group);
    const file = await savePdf(document);
    writtenBytes += file.length;
    budget.requireWithin(writtenBytes);
    files.push(file);
  }
  return files;
}

function groupsOf(pageCount: number, size: number): number[][] {
  const groups: number[][] = [];
  for (let start = 0; start < pageCount; start += size) {
    groups.push(Array.from({ length: Math.min(size, pageCount - start) }, (_, index) => start + index));
  }
  return groups;
}
