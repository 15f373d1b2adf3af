/** Appends the pages of other PDFs to a document. */
import type { PDFDocument } from '@cantoo/pdf-lib';
import { ContentError } from '@quire/blocks/content-error';
import { withPdf } from '@quire/parse/formats/pdf/document';
import type { SourceFile } from '@quire/parse/parser';
import type { OperationOf } from '../operations.ts';
import type { OutputBudget } from '../replace/output-budget.ts';
import type { OperationReport } from '../report.ts';
import { openPdf } from './open-pdf.ts';
import { rewriteWhole } from './rewrite-whole.ts';

/**
 * Appends the files; `changes` counts the pages. Form fields of the appended files keep their appearance but belong to
 * no form.
 */
export async function appendFiles(
  document: PDFDocument,
  operation: OperationOf<'appendFiles'>,
  siblings: readonly SourceFile[],
  budget: OutputBudget,
): Promise<OperationReport> {
  let changes = 0;
  for (const file of chosen(operation.files, siblings)) {
    // A file may be named more than once.
    budget.insert(file.sizeBytes);
    const source = await openPdf(await withPdf(file.path, async (open) => rewriteWhole(open)));
    const pages = await document.copyPages(source, source.getPageIndices());
    for (const page of pages) document.addPage(page);
    changes += pages.length;
  }
  return { type: operation.type, changes };
}

function chosen(names: readonly string[] | undefined, siblings: readonly SourceFile[]): SourceFile[] {
  const pdfs = siblings.filter(({ format }) => format === 'pdf');
  if (names === undefined) return pdfs;
  return names.map((wanted) => {
    const file = pdfs.find(({ name }) => name === wanted);
    if (file === undefined) throw new ContentError('unsupported', `The run has no other PDF with the name ${wanted}`);
    return file;
  });
}
