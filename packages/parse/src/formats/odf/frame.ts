/** Reads frames and shapes: text boxes, pictures, embedded tables, charts, formulas, and groups of them. */
import type { BlockDraft } from '@quire/blocks/block';
import { describedBy } from '../../office/drawing/alt-text.ts';
import { mathmlToLatex } from '../../latex/mathml.ts';
import {
  attribute,
  child,
  childElements,
  childrenNamed,
  descend,
  firstDescendant,
  textOf,
} from '../../office/xml/xml-element.ts';
import type { XmlElement } from '../../office/xml/xml-element.ts';
import type { OdfContext } from './odf-context.ts';

/** Elements of a frame that are not read as paragraphs. */
const NO_TEXT = new Set([
  'svg:title',
  'svg:desc',
  'office:event-listeners',
  'draw:glue-point',
  'draw:enhanced-geometry',
]);

/** Formulas of OpenOffice have a document type declaration for MathML. */
const PLAIN_DOCTYPE = { allowPlainDoctype: true };

export function readFrame(frame: XmlElement, context: OdfContext): BlockDraft[] {
  const content = childElements(frame).filter((each) => !NO_TEXT.has(each.name));
  if (frame.name === 'draw:g' || frame.name === 'draw:a') return content.flatMap((each) => readFrame(each, context));
  if (frame.name !== 'draw:frame') return context.readTree({ ...frame, children: content });
  const box = child(frame, 'draw:text-box');
  if (box) return context.readTree(box);
  const table = child(frame, 'table:table');
  if (table) return context.readTree({ ...frame, children: [table] });
  const object = child(frame, 'draw:object');
  const embedded = object ? readObject(object, context) : [];
  if (embedded.length > 0) return embedded;
  for (const image of childrenNamed(frame, 'draw:image')) {
    const name = (attribute(image, 'xlink:href') ?? '').replace(/^\.\//, '');
    if (context.officePackage.has(name)) context.pictures.push(name);
  }
  const text = describedBy(textOf(child(frame, 'svg:desc'))) || describedBy(textOf(child(frame, 'svg:title')));
  return child(frame, 'draw:image') || object ? [{ type: 'figure', ...(text === '' ? {} : { text }) }] : [];
}

/** Reads a chart as its title and data, and a formula as LaTeX. Other embedded documents remain pictures. */
function readObject(object: XmlElement, context: OdfContext): BlockDraft[] {
  const formula = child(object, 'math:math');
  if (formula) return [{ type: 'formula', text: mathmlToLatex(formula) }];
  const path = (attribute(object, 'xlink:href') ?? '').replace(/^\.\//, '').replace(/\/$/, '');
  const root = path === '' ? undefined : context.officePackage.optionalTree(`${path}/content.xml`, PLAIN_DOCTYPE);
  if (!root) return [];
  if (root.name === 'math:math') return [{ type: 'formula', text: mathmlToLatex(root) }];
  const chart = firstDescendant(root, 'chart:chart');
  if (!chart) return [];
  const title = childrenNamed(child(chart, 'chart:title'), 'text:p').map(textOf).join(' ').trim();
  const table = descend(chart, 'table:table');
  const rows = table ? context.readTree({ ...chart, name: 'office:chart', children: [table] }) : [];
  return [{ type: 'figure', text: title }, ...rows];
}
