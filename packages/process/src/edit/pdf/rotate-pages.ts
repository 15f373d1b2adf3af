import { degrees, type PDFDocument } from '@cantoo/pdf-lib';
import type { OperationOf } from '../operations.ts';
import type { OperationReport } from '../report.ts';
import { pagesIn } from './page-range.ts';

export function rotatePages(document: PDFDocument, operation: OperationOf<'rotatePages'>): OperationReport {
  const indexes = pagesIn(operation.pages ?? '1-', document.getPageCount());
  for (const index of indexes) {
    const page = document.getPage(index);
    page.setRotation(degrees((page.getRotation().angle + operation.degrees + 360) % 360));
  }
  return { type: operation.type, changes: indexes.length, pages: indexes.map((index) => index + 1) };
}
