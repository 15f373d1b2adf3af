/** Reads an OpenDocument presentation: each `draw:page` as a tree, its shapes in reading order, then its notes. */
import type { BlockDraft } from '@quire/blocks/block';
import { plainText } from '../../office/build/plain-text.ts';
import { inReadingOrder } from '../../office/build/reading-order.ts';
import { placedBlocks, placeOnPage } from '../../office/build/place-on-page.ts';
import type { PlacedBox } from '../../office/build/reading-order.ts';
import type { XmlHandler } from '../../office/xml/parse-xml.ts';
import { attribute, childElements, childrenNamed } from '../../office/xml/xml-element.ts';
import type { XmlElement } from '../../office/xml/xml-element.ts';
import { readFrame } from './frame.ts';
import { lengthInPoints } from './length.ts';
import type { ParseContext } from '../../parser.ts';
import { needsRecognition, type ShownPicture } from '../../office/pictures/shown-pictures.ts';
import type { OdfContext } from './odf-context.ts';

/** Placeholders that repeat on each slide: dates, footers and numbers. */
const FURNITURE = new Set(['date-time', 'footer', 'page-number', 'header', 'page']);

interface Shape {
  isTitle: boolean;
  frame: PlacedBox | undefined;
  blocks: BlockDraft[];
}

export interface PageSize {
  width: number;
  height: number;
}

export class OdpReader implements XmlHandler {
  readonly blocks: BlockDraft[] = [];
  readonly #context: OdfContext;
  readonly #parseContext: ParseContext;
  readonly #size: PageSize | undefined;
  /** Pictures for OCR. */
  readonly pictures: ShownPicture[] = [];
  #pages = 0;

  constructor(context: OdfContext, parseContext: ParseContext, size: PageSize | undefined) {
    this.#context = context;
    this.#parseContext = parseContext;
    this.#size = size;
  }

  get pageCount(): number {
    return this.#pages;
  }

  open(name: string): boolean {
    return name === 'draw:page' || name === 'office:automatic-styles';
  }

  element(element: XmlElement): void {
    if (element.name === 'draw:page') this.#page(element);
    else this.#context.styles.add(element);
  }

  #page(page: XmlElement): void {
    this.#pages += 1;
    const shapes = childElements(page).flatMap((each) => this.#shape(each));
    const pictures = this.#context.pictures.splice(0).map((name) => ({ name, page: this.#pages }));
    const blocks = ordered(shapes).flatMap((shape) =>
      placedBlocks(shape.blocks, { page: this.#pages, ...placeOnPage(shape.frame, this.#size) }),
    );
    if (needsRecognition(this.#parseContext, blocks)) this.pictures.push(...pictures);
    const annotations = [
      ...childrenNamed(page, 'presentation:notes').flatMap((notes) => this.#notes(notes)),
      ...this.#context.comments.splice(0),
    ].map((text): BlockDraft => ({ type: 'footnote', text }));
    for (const block of [...blocks, ...annotations]) this.blocks.push({ ...block, page: this.#pages });
  }

  #shape(element: XmlElement): Shape[] {
    if (!element.name.startsWith('draw:')) return [];
    if (element.name === 'draw:g') return childElements(element).flatMap((each) => this.#shape(each));
    const kind = attribute(element, 'presentation:class') ?? '';
    if (FURNITURE.has(kind) || attribute(element, 'presentation:placeholder') === 'true') return [];
    const blocks = headed(readFrame(element, this.#context), kind);
    return blocks.length === 0 ? [] : [{ isTitle: kind === 'title', frame: frameOf(element), blocks }];
  }

  #notes(notes: XmlElement): string[] {
    return childElements(notes)
      .filter((each) => attribute(each, 'presentation:class') === 'notes')
      .map((each) => plainText(readFrame(each, this.#context)))
      .filter((text) => text !== '')
      .map((text) => `Notes: ${text}`);
  }
}

function ordered(shapes: readonly Shape[]): Shape[] {
  const titles = shapes.filter((shape) => shape.isTitle);
  const others = shapes.filter((shape) => !shape.isTitle);
  const placed = others.filter((shape): shape is Shape & { frame: PlacedBox } => shape.frame !== undefined);
  if (placed.length < others.length || placed.length > 2_000) return [...titles, ...others];
  const size = placed.reduce((most, shape) => Math.max(most, shape.frame.right, shape.frame.bottom), 0);
  return [...titles, ...inReadingOrder(placed, size)];
}

function headed(blocks: BlockDraft[], kind: string): BlockDraft[] {
  const level = kind === 'title' ? 1 : kind === 'subtitle' ? 2 : undefined;
  if (level === undefined || blocks.some((block) => block.type === 'table' || block.type === 'figure')) return blocks;
  const text = plainText(blocks).replaceAll(/\s+/g, ' ').trim();
  return text === '' ? [] : [{ type: 'heading', level, text }];
}

function frameOf(element: XmlElement): PlacedBox | undefined {
  const left = lengthInPoints(attribute(element, 'svg:x'));
  const top = lengthInPoints(attribute(element, 'svg:y'));
  if (left === undefined || top === undefined) return undefined;
  const width = lengthInPoints(attribute(element, 'svg:width')) ?? 0;
  const height = lengthInPoints(attribute(element, 'svg:height')) ?? 0;
  return { left, top, right: left + width, bottom: top + height };
}
