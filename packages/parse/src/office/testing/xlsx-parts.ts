/** Builds the parts of a small workbook around the XML of its sheets, for tests. */
import { relationships } from './docx-parts.ts';
import type { Parts } from './parse-parts.ts';

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

export interface TestSheet {
  name: string;
  /** Content of the `worksheet` element. */
  xml: string;
  state?: string;
}

export function xlsxParts(sheets: readonly TestSheet[], options: { properties?: string; extra?: Parts } = {}): Parts {
  const entries = sheets.map(
    (sheet, index) => `<sheet name="${sheet.name}" r:id="s${index}"${sheet.state ? ` state="${sheet.state}"` : ''}/>`,
  );
  const formats = ['0', '14', '10', '4', '12', '164', '165'].map((id) => `<xf numFmtId="${id}"/>`);
  return {
    '_rels/.rels': relationships(['r1', 'officeDocument', 'xl/workbook.xml']),
    'xl/_rels/workbook.xml.rels': relationships(
      ['r1', 'sharedStrings', 'sharedStrings.xml'],
      ['r2', 'styles', 'styles.xml'],
      ...sheets.map((_, index): [string, string, string] => [`s${index}`, 'worksheet', `worksheets/sheet${index}.xml`]),
    ),
    'xl/workbook.xml': `<workbook ${MAIN} ${R}>${options.properties ?? ''}<sheets>${entries.join('')}</sheets></workbook>`,
    'xl/styles.xml': `<styleSheet ${MAIN}><numFmts><numFmt numFmtId="164" formatCode="[$€-2] #,##0.00"/><numFmt numFmtId="165" formatCode="d mmmm yyyy h:mm"/></numFmts><cellXfs>${formats.join('')}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst ${MAIN}><si><t>plain</t></si><si><r><t>rich </t></r><r><t>text</t></r><rPh><t>guide</t></rPh></si></sst>`,
    ...Object.fromEntries(
      sheets.map((sheet, index) => [
        `xl/worksheets/sheet${index}.xml`,
        `<worksheet ${MAIN} ${R}>${sheet.xml}</worksheet>`,
      ]),
    ),
    ...options.extra,
  };
}

/** Returns a number cell with a style index. */
export const number = (reference: string, value: number | string, style = 0): string =>
  `<c r="${reference}" s="${style}"><v>${value}</v></c>`;

/** Returns a text cell. */
export const text = (reference: string, value: string): string =>
  `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`;
