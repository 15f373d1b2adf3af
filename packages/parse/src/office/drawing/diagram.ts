import type { BlockDraft } from '@quire/blocks/block';
import { ListBuilder } from '../build/list-builder.ts';
import type { OfficePackage } from '../package/office-package.ts';
import { attribute, child, childElements, childrenNamed, descendants, textOf } from '../xml/xml-element.ts';
import type { XmlElement } from '../xml/xml-element.ts';

/** Reads SmartArt: the nodes of the diagram's data model as a nested list, parents before children. */
export function readDiagram(officePackage: OfficePackage, dataPart: string | undefined): BlockDraft[] {
  const model = officePackage.optionalTree(dataPart);
  if (!model) return [];
  const points = childElements(child(model, 'dgm:ptLst'));
  const texts = new Map(points.map((point) => [attribute(point, 'modelId') ?? '', pointText(point)]));
  const children = new Map<string, { id: string; order: number }[]>();
  const nested = new Set<string>();
  for (const link of childrenNamed(child(model, 'dgm:cxnLst'), 'dgm:cxn')) {
    if ((attribute(link, 'type') ?? 'parOf') !== 'parOf') continue;
    const parent = attribute(link, 'srcId') ?? '';
    const id = attribute(link, 'destId') ?? '';
    children.set(parent, [...(children.get(parent) ?? []), { id, order: Number(attribute(link, 'srcOrd') ?? 0) }]);
    nested.add(id);
  }
  const list = new ListBuilder();
  const seen = new Set<string>();
  const visit = (id: string, level: number): void => {
    if (seen.has(id) || level > 20) return;
    seen.add(id);
    const text = texts.get(id) ?? '';
    if (text !== '') list.add({ level, ordered: false, content: { text, links: [], marks: [] } });
    const below = (children.get(id) ?? []).toSorted((a, b) => a.order - b.order);
    for (const each of below) visit(each.id, text === '' ? level : level + 1);
  };
  for (const id of texts.keys()) if (!nested.has(id)) visit(id, 0);
  return list.lists;
}

/** Returns the text of nodes and assistants; presentation points repeat it. */
function pointText(point: XmlElement): string {
  if (!['node', 'asst', 'doc'].includes(attribute(point, 'type') ?? 'node')) return '';
  return Array.from(descendants(point, 'a:p'), (paragraph) =>
    Array.from(descendants(paragraph, 'a:t'), textOf).join(''),
  )
    .join('\n')
    .trim();
}
