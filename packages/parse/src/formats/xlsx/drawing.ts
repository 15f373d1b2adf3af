/** Reads the drawings of a sheet: charts, pictures, text boxes, and comments on cells. */
import type { BlockDraft } from '@quire/blocks/block';
import { altText } from '../../office/drawing/alt-text.ts';
import { readChart } from '../../office/drawing/chart.ts';
import { readDiagram } from '../../office/drawing/diagram.ts';
import type { OfficePackage } from '../../office/package/office-package.ts';
import type { PlacedBlocks } from '../../office/sheet/sheet-grid.ts';
import {
  attribute,
  child,
  childElements,
  childrenNamed,
  descendants,
  firstDescendant,
  textOf,
} from '../../office/xml/xml-element.ts';
import type { XmlElement } from '../../office/xml/xml-element.ts';

/** Returns the drawings in file order, each with the cell under its upper left corner. */
export function readSheetDrawings(officePackage: OfficePackage, sheetPart: string): PlacedBlocks[] {
  const drawingPart = officePackage.relatedPart(sheetPart, 'drawing');
  const drawing = officePackage.optionalTree(drawingPart);
  if (!drawing || drawingPart === undefined) return [];
  const targets = new Map(officePackage.relationships(drawingPart).map((each) => [each.id, each.target]));
  return childElements(drawing).map((anchor) => {
    const from = child(anchor, 'xdr:from');
    const position = (name: string): number => Number.parseInt(textOf(child(from, name)), 10) || 0;
    const blocks = readAnchor(officePackage, anchor, targets);
    return from ? { row: position('xdr:row'), column: position('xdr:col'), blocks } : { blocks };
  });
}

function readAnchor(
  officePackage: OfficePackage,
  anchor: XmlElement,
  targets: ReadonlyMap<string, string>,
): BlockDraft[] {
  const charts = Array.from(descendants(anchor, 'c:chart'), (chart) => targets.get(attribute(chart, 'r:id') ?? ''));
  const diagrams = Array.from(descendants(anchor, 'dgm:relIds'), (ids) => targets.get(attribute(ids, 'r:dm') ?? ''));
  const pictures = Array.from(descendants(anchor, 'xdr:pic'), (picture): BlockDraft => ({
    type: 'figure',
    text: altText(firstDescendant(picture, 'xdr:cNvPr')),
  }));
  const boxes = Array.from(descendants(anchor, 'xdr:txBody'), (body): BlockDraft => {
    const lines = childrenNamed(body, 'a:p').map((line) => Array.from(descendants(line, 'a:t'), textOf).join(''));
    return { type: 'paragraph', text: lines.join('\n').trim() };
  });
  return [
    ...charts.flatMap((part) => readChart(officePackage, part)),
    ...diagrams.flatMap((part) => readDiagram(officePackage, part)),
    ...pictures,
    ...boxes,
  ];
}

export function readSheetComments(officePackage: OfficePackage, sheetPart: string): BlockDraft[] {
  const root = officePackage.optionalTree(officePackage.relatedPart(sheetPart, 'comments'));
  return childrenNamed(child(root, 'commentList'), 'comment').flatMap((comment): BlockDraft[] => {
    const text = Array.from(descendants(child(comment, 'text'), 't'), textOf)
      .join('')
      .trim();
    return text === '' ? [] : [{ type: 'footnote', text: `Comment on ${attribute(comment, 'ref') ?? ''}: ${text}` }];
  });
}
