/** Writes one cell of an xlsx sheet in place and keeps its style. */
import { ContentError } from '@quire/blocks/content-error';
import { parseReference } from '@quire/parse/office/sheet/cell-reference';
import { readWorkbook } from '@quire/parse/formats/xlsx/workbook';
import type { SourceEdit } from '../replace/split-text.ts';
import { applyEdits } from '../replace/split-text.ts';
import { escapeXml } from '../replace/scan-xml.ts';
import type { OperationOf } from '../operations.ts';
import type { OperationReport } from '../report.ts';
import type { OpenParts } from './open-parts.ts';
import { recalculate } from './recalculate.ts';
import { locateCell, type CellPlace } from './locate-cell.ts';

type SetCell = OperationOf<'setCell'>;

export function setCell(parts: OpenParts, operation: SetCell): OperationReport {
  const { officePackage } = parts;
  const mainPart = officePackage.relatedPart('', 'officeDocument') ?? 'xl/workbook.xml';
  const { sheets } = readWorkbook(officePackage, mainPart);
  const wanted = operation.sheet?.toLowerCase();
  const sheet = wanted === undefined ? sheets[0] : sheets.find(({ name }) => name.toLowerCase() === wanted);
  if (sheet === undefined) {
    const names = sheets.map(({ name }) => name).join(', ');
    throw new ContentError('unsupported', `There is no sheet ${operation.sheet ?? ''}; the sheets are: ${names}`);
  }
  const reference = operation.cell.toUpperCase();
  const position = parseReference(reference);
  if (position === undefined) throw new ContentError('unsupported', `${reference} is outside a sheet`);
  const source = parts.read(sheet.partName);
  const place = locateCell(source, position);
  if (place.formula !== undefined && /\b(?:ref|t)="/.test(place.formula)) {
    throw new ContentError('unsupported', `${reference} is part of an array or shared formula and cannot be written`);
  }
  parts.write(sheet.partName, applyEdits(source, [cellEdit(place, reference, operation)]));
  recalculate(parts);
  return { type: operation.type, changes: 1 };
}

function cellEdit(place: CellPlace, reference: string, operation: SetCell): SourceEdit {
  const { prefix } = place;
  const style = place.style === undefined ? '' : ` s="${place.style}"`;
  const open = `<${prefix}c r="${reference}"${style}`;
  const cell = `${open}${content(prefix, operation)}`;
  if (place.kind === 'cell') return { ...place.span, source: cell };
  const row = place.kind === 'row' ? cell : `<${prefix}row r="${place.row}">${cell}</${prefix}row>`;
  const source = place.opened === undefined ? row : `${place.opened.before}${row}${place.opened.after}`;
  return { ...place.span, source };
}

/** Returns the rest of the cell element after its reference and style, including the end tag. */
function content(prefix: string, { value, formula }: SetCell): string {
  const element = (name: string, text: string): string => `<${prefix}${name}>${escapeXml(text)}</${prefix}${name}>`;
  const end = `</${prefix}c>`;
  if (formula !== undefined) return `>${element('f', formula.replace(/^=/, ''))}${end}`;
  if (value === null || value === undefined) return '/>';
  if (typeof value === 'number') return `>${element('v', String(value))}${end}`;
  if (typeof value === 'boolean') return ` t="b">${element('v', value ? '1' : '0')}${end}`;
  const text = `<${prefix}t xml:space="preserve">${escapeXml(value)}</${prefix}t>`;
  return ` t="inlineStr"><${prefix}is>${text}</${prefix}is>${end}`;
}
