/** Reads pictures, shapes, charts and diagrams in a Word run: DrawingML (`w:drawing`) and the older VML (`w:pict`). */
import type { BlockDraft } from '@quire/blocks/block';
import { altText } from '../../office/drawing/alt-text.ts';
import { readChart } from '../../office/drawing/chart.ts';
import { readDiagram } from '../../office/drawing/diagram.ts';
import { attribute, childElements, descend, firstDescendant } from '../../office/xml/xml-element.ts';
import type { XmlElement } from '../../office/xml/xml-element.ts';
import type { DocxContext } from './docx-context.ts';
import type { Attachment } from './inline.ts';

export function readDrawing(drawing: XmlElement, context: DocxContext): Attachment[] {
  const attachments: Attachment[] = [];
  const title = firstDescendant(drawing, 'wp:docPr');
  collect(drawing, context, attachments, altText(title));
  return attachments;
}

function collect(element: XmlElement, context: DocxContext, into: Attachment[], alt: string): void {
  for (const node of childElements(element)) {
    switch (node.name) {
      case 'w:txbxContent':
        into.push({ kind: 'box', content: node });
        break;
      case 'pic:pic':
        notePicture(context, attribute(descend(node, 'pic:blipFill', 'a:blip'), 'r:embed'));
        pushBlocks(into, [figure(alt === '' ? altText(firstDescendant(node, 'pic:cNvPr')) : alt)]);
        break;
      case 'v:imagedata':
        notePicture(context, attribute(node, 'r:id'));
        pushBlocks(into, [figure(altText({ ...node, attributes: { title: attribute(node, 'o:title') ?? '' } }))]);
        break;
      case 'c:chart':
        pushBlocks(into, readChart(context.officePackage, context.part(attribute(node, 'r:id'))));
        break;
      case 'dgm:relIds':
        pushBlocks(into, readDiagram(context.officePackage, context.part(attribute(node, 'r:dm'))));
        break;
      case 'mc:AlternateContent':
        collectAlternate(node, context, into, alt);
        break;
      default:
        collect(node, context, into, alt);
    }
  }
}

function notePicture(context: DocxContext, id: string | undefined): void {
  const part = context.part(id);
  if (part !== undefined && context.officePackage.has(part)) context.pictures.push(part);
}

function collectAlternate(element: XmlElement, context: DocxContext, into: Attachment[], alt: string): void {
  for (const choice of childElements(element)) {
    const before = into.length;
    collect(choice, context, into, alt);
    if (into.length > before) return;
  }
}

function pushBlocks(into: Attachment[], blocks: readonly BlockDraft[]): void {
  for (const block of blocks) into.push({ kind: 'block', block });
}

function figure(text: string): BlockDraft {
  return text === '' ? { type: 'figure' } : { type: 'figure', text };
}
