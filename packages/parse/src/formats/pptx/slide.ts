/** Reads one slide: its shapes with positions in reading order, title first, then notes and comments. */
import type { BlockDraft } from '@quire/blocks/block';
import { placedBlocks } from '../../office/build/place-on-page.ts';
import { inReadingOrder } from '../../office/build/reading-order.ts';
import { TableBuilder } from '../../office/build/table-builder.ts';
import { altText } from '../../office/drawing/alt-text.ts';
import { readChart } from '../../office/drawing/chart.ts';
import { readDiagram } from '../../office/drawing/diagram.ts';
import { packagedEquation } from '../../legacy/equation/packaged-equation.ts';
import type { OfficePackage } from '../../office/package/office-package.ts';
import type { ShownPicture } from '../../office/pictures/shown-pictures.ts';
import {
  attribute,
  child,
  childElements,
  childrenNamed,
  descend,
  descendants,
  firstDescendant,
  integerAttribute,
  textOf,
} from '../../office/xml/xml-element.ts';
import type { XmlElement } from '../../office/xml/xml-element.ts';
import { groupTransform, IDENTITY, readFrame, toBoundingBox } from './geometry.ts';
import type { Frame, Transform } from './geometry.ts';
import { placeholderOf } from './placeholders.ts';
import type { PlaceholderKey, SlideTemplate } from './placeholders.ts';
import { plainTextBody, readTextBody } from './text-body.ts';

export interface SlideSize {
  width: number;
  height: number;
}

/** Placeholders that repeat on each slide: dates, footers and numbers. */
const FURNITURE = new Set(['dt', 'ftr', 'sldNum', 'hdr']);
/** Maximum number of shapes whose positions are compared pairwise; real slides have under a hundred. */
const MAX_ORDERED_SHAPES = 2_000;
/** Maximum length of a subtitle; longer text in a subtitle placeholder is body text. */
const MAX_SUBTITLE_CHARACTERS = 150;

interface ReadShape {
  isTitle: boolean;
  frame: Frame | undefined;
  blocks: BlockDraft[];
}

export class SlideReader {
  readonly #officePackage: OfficePackage;
  readonly #partName: string;
  readonly #template: SlideTemplate;
  readonly #targets: ReadonlyMap<string, string>;
  readonly #links: ReadonlyMap<string, string>;
  readonly #shapes: ReadShape[] = [];
  /** Frames of the pictures that are shapes of their own, by part name. */
  readonly #pictureFrames = new Map<string, Frame | undefined>();

  constructor(officePackage: OfficePackage, partName: string, template: SlideTemplate) {
    this.#officePackage = officePackage;
    this.#partName = partName;
    this.#template = template;
    const relationships = officePackage.relationships(partName);
    this.#targets = new Map(relationships.map((each) => [each.id, each.target]));
    this.#links = new Map(relationships.filter((each) => each.external).map((each) => [each.id, each.target]));
  }

  read(page: number, size: SlideSize): BlockDraft[] {
    const tree = descend(this.#officePackage.tree(this.#partName), 'p:cSld', 'p:spTree');
    if (tree) this.#container(tree, IDENTITY);
    const blocks = this.#ordered(size).flatMap((shape) => {
      const place = shape.frame ? { bbox: toBoundingBox(shape.frame, size.width, size.height) } : {};
      return placedBlocks(shape.blocks, { page, ...place });
    });
    return [...blocks, ...this.#annotations().map((block) => ({ ...block, page }))];
  }

  /** Returns the pictures of the slide, including its background and the fills of shapes, without picture bullets. */
  pictures(page: number, size: SlideSize): ShownPicture[] {
    const content = child(this.#officePackage.tree(this.#partName), 'p:cSld');
    const bullets = new Set(Array.from(descendants(content, 'a:buBlip'), (each) => child(each, 'a:blip')));
    const blips = Array.from(descendants(content, 'a:blip')).filter((blip) => !bullets.has(blip));
    return blips.flatMap((blip): ShownPicture[] => {
      const name = this.#targets.get(attribute(blip, 'r:embed') ?? '');
      if (name === undefined || !this.#officePackage.has(name)) return [];
      const frame = this.#pictureFrames.get(name);
      return [{ name, page, frame: frame && toBoundingBox(frame, size.width, size.height) }];
    });
  }

  #ordered(size: SlideSize): ReadShape[] {
    const titles = this.#shapes.filter((shape) => shape.isTitle);
    const others = this.#shapes.filter((shape) => !shape.isTitle);
    const placed = others.filter((shape): shape is ReadShape & { frame: Frame } => shape.frame !== undefined);
    // If some positions are missing, the order of the file is the better guess.
    if (placed.length < others.length || others.length > MAX_ORDERED_SHAPES) return [...titles, ...others];
    return [...titles, ...inReadingOrder(placed, Math.max(size.width, size.height))];
  }

  #container(container: XmlElement, transform: Transform): void {
    for (const element of childElements(container)) this.#shape(element, transform);
  }

  #shape(element: XmlElement, transform: Transform): void {
    switch (element.name) {
      case 'p:sp':
      case 'p:cxnSp':
        this.#textShape(element, transform);
        break;
      case 'p:grpSp':
        this.#container(element, groupTransform(descend(element, 'p:grpSpPr', 'a:xfrm'), transform));
        break;
      case 'p:graphicFrame':
        this.#add(readFrame(child(element, 'p:xfrm'), transform), element, this.#graphic(element));
        break;
      case 'p:pic':
        this.#picture(element, transform);
        break;
      case 'mc:AlternateContent':
        for (const choice of childElements(element).slice(0, 1)) this.#container(choice, transform);
        break;
      default:
    }
  }

  #textShape(shape: XmlElement, transform: Transform): void {
    const key = placeholderOf(shape);
    if (key && FURNITURE.has(key.type)) return;
    const body = child(shape, 'p:txBody');
    const ancestors = key ? this.#template.ancestors(key) : [];
    const styles = [
      child(body, 'a:lstStyle'),
      ...ancestors.map((ancestor) => descend(ancestor, 'p:txBody', 'a:lstStyle')),
      this.#template.textStyle(key),
    ].filter((style): style is XmlElement => style !== undefined);
    const frame = [shape, ...ancestors]
      .map((each, index) => readFrame(descend(each, 'p:spPr', 'a:xfrm'), index === 0 ? transform : IDENTITY))
      .find((each) => each !== undefined);
    this.#add(frame, shape, headed(readTextBody(body, styles, this.#links), key));
  }

  #picture(picture: XmlElement, transform: Transform): void {
    const key = placeholderOf(picture);
    const ancestors = key ? this.#template.ancestors(key) : [];
    const frame = [picture, ...ancestors]
      .map((each) => readFrame(descend(each, 'p:spPr', 'a:xfrm'), each === picture ? transform : IDENTITY))
      .find((each) => each !== undefined);
    const blip = descend(picture, 'p:blipFill', 'a:blip');
    this.#pictureFrames.set(this.#targets.get(attribute(blip, 'r:embed') ?? '') ?? '', frame);
    const text = altText(descend(picture, 'p:nvPicPr', 'p:cNvPr'));
    this.#add(frame, picture, [{ type: 'figure', ...(text === '' ? {} : { text }) }]);
  }

  #add(frame: Frame | undefined, shape: XmlElement, blocks: BlockDraft[]): void {
    const type = placeholderOf(shape)?.type;
    if (blocks.length > 0) this.#shapes.push({ isTitle: type === 'title' || type === 'ctrTitle', frame, blocks });
  }

  #graphic(frame: XmlElement): BlockDraft[] {
    const graphic = descend(frame, 'a:graphic', 'a:graphicData');
    const table = child(graphic, 'a:tbl');
    if (table) return readTable(table, this.#links);
    const chart = child(graphic, 'c:chart');
    if (chart) return readChart(this.#officePackage, this.#targets.get(attribute(chart, 'r:id') ?? ''));
    const diagram = child(graphic, 'dgm:relIds');
    if (diagram) return readDiagram(this.#officePackage, this.#targets.get(attribute(diagram, 'r:dm') ?? ''));
    const embedded = firstDescendant(graphic, 'p:oleObj');
    const object = this.#targets.get(attribute(embedded, 'r:id') ?? '');
    const latex = packagedEquation(this.#officePackage, object, attribute(embedded, 'progId'));
    if (latex !== undefined) return [{ type: 'formula', text: latex }];
    const text = altText(descend(frame, 'p:nvGraphicFramePr', 'p:cNvPr'));
    return firstDescendant(graphic, 'p:pic') || text !== ''
      ? [{ type: 'figure', ...(text === '' ? {} : { text }) }]
      : [];
  }

  #annotations(): BlockDraft[] {
    const notes = this.#officePackage.optionalTree(this.#officePackage.relatedPart(this.#partName, 'notesSlide'));
    const noteText = Array.from(descendants(notes, 'p:sp'))
      .filter((shape) => placeholderOf(shape)?.type === 'body')
      .map((shape) => plainTextBody(child(shape, 'p:txBody'), this.#links).text)
      .filter((text) => text !== '');
    const comments = this.#officePackage.optionalTree(this.#officePackage.relatedPart(this.#partName, 'comments'));
    const commentTexts = Array.from(descendants(comments, 'p:text'), (text) => textOf(text).trim());
    return [
      ...noteText.map((text) => `Notes: ${text}`),
      ...commentTexts.filter((text) => text !== '').map((text) => `Comment: ${text}`),
    ].map((text) => ({ type: 'footnote', text }));
  }
}

/** Turns titles into headings of the first level and subtitles of the second; their lines are joined. */
function headed(blocks: BlockDraft[], key: PlaceholderKey | undefined): BlockDraft[] {
  const level = key?.type === 'title' || key?.type === 'ctrTitle' ? 1 : key?.type === 'subTitle' ? 2 : undefined;
  if (level === undefined || !blocks.every((block) => block.type === 'paragraph')) return blocks;
  const text = blocks
    .map((block) => block.text ?? '')
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (level > 1 && text.length > MAX_SUBTITLE_CHARACTERS) return blocks;
  return text === '' ? [] : [{ type: 'heading', level, text }];
}

function readTable(table: XmlElement, links: ReadonlyMap<string, string>): BlockDraft[] {
  const builder = new TableBuilder();
  for (const row of childrenNamed(table, 'a:tr')) {
    builder.startRow();
    for (const cell of childrenNamed(row, 'a:tc')) {
      // Positions covered by a span are stored as cells of their own.
      if (attribute(cell, 'hMerge') !== undefined || attribute(cell, 'vMerge') !== undefined) continue;
      builder.addCell({
        ...plainTextBody(child(cell, 'a:txBody'), links),
        colSpan: integerAttribute(cell, 'gridSpan') ?? 1,
        rowSpan: integerAttribute(cell, 'rowSpan') ?? 1,
      });
    }
  }
  const headed = attribute(child(table, 'a:tblPr'), 'firstRow');
  if ((headed === '1' || headed === 'true') && builder.rows.length > 1) builder.markHeader(0);
  const block = builder.finish();
  return block ? [block] : [];
}
