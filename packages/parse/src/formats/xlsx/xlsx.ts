/**
 * Reads Excel workbooks (xlsx): one section per visible sheet with its tables, charts, text boxes and comments. Sheets
 * are streamed and stored sparsely, so far cells and millions of rows are no problem.
 */
import type { ParsedContent } from '@quire/blocks/block';
import { ContentError } from '@quire/blocks/content-error';
import type { FormatReader } from '../../parser.ts';
import { readCoreTitle } from '../../office/package/core-properties.ts';
import { OfficePackage } from '../../office/package/office-package.ts';
import { WorkbookBuilder } from '../../office/sheet/workbook-builder.ts';
import { readSheetComments, readSheetDrawings } from './drawing.ts';
import { readSharedStrings } from './shared-strings.ts';
import { SheetFull, SheetReader } from './sheet-reader.ts';
import type { SheetContext } from './sheet-reader.ts';
import { readCellFormats, readWorkbook } from './workbook.ts';
import type { SheetEntry } from './workbook.ts';

export const reader: FormatReader = {
  parse: (file, context) => OfficePackage.use(file, context, (source) => readSheets(source, context.onProgress)),
};

function readSheets(officePackage: OfficePackage, onProgress: (fraction: number) => void): ParsedContent {
  const mainPart = officePackage.relatedPart('', 'officeDocument') ?? 'xl/workbook.xml';
  if (mainPart.endsWith('.bin')) throw new ContentError('unsupported', 'Binary workbooks (xlsb) are not supported');
  if (!officePackage.has(mainPart)) throw new ContentError('corrupt', 'The file is damaged: it contains no workbook');
  const workbook = readWorkbook(officePackage, mainPart);
  const context: SheetContext = {
    strings: readSharedStrings(officePackage, officePackage.relatedPart(mainPart, 'sharedStrings')),
    formats: readCellFormats(officePackage.optionalTree(officePackage.relatedPart(mainPart, 'styles'))),
    date1904: workbook.date1904,
  };
  const builder = new WorkbookBuilder();
  const allHidden = workbook.sheets.every((sheet) => sheet.hidden);
  workbook.sheets.forEach((sheet, index) => {
    if (sheet.hidden && !allHidden) builder.skipHidden(sheet.name);
    else addSheet(officePackage, sheet, context, builder);
    onProgress((index + 1) / workbook.sheets.length);
  });
  return builder.finish(readCoreTitle(officePackage));
}

function addSheet(
  officePackage: OfficePackage,
  sheet: SheetEntry,
  context: SheetContext,
  builder: WorkbookBuilder,
): void {
  const external = officePackage.relationships(sheet.partName).filter((each) => each.external);
  const targets = new Map(external.map((each) => [each.id, each.target]));
  const sheetReader = new SheetReader(context, builder, targets);
  let complete = true;
  try {
    officePackage.parse(sheet.partName, sheetReader);
  } catch (error) {
    if (!(error instanceof SheetFull)) throw error;
    complete = false;
  }
  const others = [
    ...readSheetDrawings(officePackage, sheet.partName),
    { blocks: readSheetComments(officePackage, sheet.partName) },
  ];
  builder.addSheet(sheet.name, sheetReader.grid, others, complete);
}
