import type { MarkKind } from '@quire/blocks/block';
import type { OfficePackage } from '../../office/package/office-package.ts';
import { attribute, child, childElements, childrenNamed, integerAttribute } from '../../office/xml/xml-element.ts';
import type { XmlElement } from '../../office/xml/xml-element.ts';
import { fontMarks } from './rich-text.ts';
import { builtInFormat } from '../../office/sheet/number-format.ts';

export interface SheetEntry {
  name: string;
  partName: string;
  hidden: boolean;
}

export interface Workbook {
  sheets: SheetEntry[];
  date1904: boolean;
}

/** Reads the sheets in tab order. Chart sheets have no cells and are read for their drawing. */
export function readWorkbook(officePackage: OfficePackage, mainPart: string): Workbook {
  const root = officePackage.tree(mainPart);
  const targets = new Map(officePackage.relationships(mainPart).map((each) => [each.id, each.target]));
  const sheets = childrenNamed(child(root, 'sheets'), 'sheet').flatMap((sheet): SheetEntry[] => {
    const partName = targets.get(attribute(sheet, 'r:id') ?? '');
    if (partName === undefined || !officePackage.has(partName)) return [];
    const state = attribute(sheet, 'state') ?? 'visible';
    return [{ name: attribute(sheet, 'name') ?? '', partName, hidden: state !== 'visible' }];
  });
  const epoch = attribute(child(root, 'workbookPr'), 'date1904') ?? '0';
  return { sheets, date1904: epoch === '1' || epoch === 'true' };
}

/** How the cells of a style look: the code of the number format, and the marks of the font. */
export interface CellFormat {
  code: string;
  marks: readonly MarkKind[];
}

/** Returns the format of each cell style (`s` attribute) by index. */
export function readCellFormats(root: XmlElement | undefined): CellFormat[] {
  const custom = new Map(
    childrenNamed(child(root, 'numFmts'), 'numFmt').map((each) => [
      integerAttribute(each, 'numFmtId') ?? -1,
      attribute(each, 'formatCode') ?? 'General',
    ]),
  );
  const fonts = childElements(child(root, 'fonts')).map((font) =>
    childElements(font).flatMap((property) => fontMarks(property.name, property.attributes)),
  );
  return childElements(child(root, 'cellXfs')).map((style) => {
    const id = integerAttribute(style, 'numFmtId') ?? 0;
    const marks = fonts[integerAttribute(style, 'fontId') ?? 0] ?? [];
    return { code: custom.get(id) ?? builtInFormat(id) ?? 'General', marks };
  });
}
