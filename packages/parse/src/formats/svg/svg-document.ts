/**
 * Extracts the text of an SVG and a copy that is safe to draw, in one pass over its XML. The copy has no document type,
 * no scripts, and no references except to its own parts and embedded raster images, so nothing is ever fetched.
 */
import { SaxesParser } from 'saxes';
import type { SaxesTagPlain } from 'saxes';
import { ContentError } from '@quire/blocks/content-error';
import { inRows, SvgPlaces, type TextPlace } from './svg-places.ts';

export interface SvgText {
  kind: 'title' | 'description' | 'text';
  text: string;
}

export interface SvgDocument {
  /** Title of the root element. */
  title: string | null;
  texts: SvgText[];
  /** Width in user units; null if the file does not state it. */
  width: number | null;
  height: number | null;
  /** Root attributes and inner XML of the safe copy. */
  root: ReadonlyMap<string, string>;
  body: string;
}

/** Limits of elements and nesting: maps have 100,000 elements; deep nesting is an attack on recursive readers. */
const MAX_ELEMENTS = 500_000;
const MAX_DEPTH = 500;
/** Maximum number of characters of one `text` that are drawn: the time is quadratic, 8,000 characters took 1.6 s. */
const MAX_DRAWN_CHARACTERS = 1000;

/** Elements removed from the copy with their content. */
const REMOVED: ReadonlySet<string> = new Set([
  'script',
  'foreignObject',
  'iframe',
  'audio',
  'video',
  'handler',
  'listener',
]);
const SILENT: ReadonlySet<string> = new Set([...REMOVED, 'style', 'metadata']);
/** Elements whose content is shown only if something refers to it. */
const DEFINITIONS: ReadonlySet<string> = new Set(['defs', 'symbol', 'clipPath', 'mask', 'pattern', 'marker']);
const TEXT_KINDS: Readonly<Record<string, SvgText['kind']>> = { title: 'title', desc: 'description', text: 'text' };

/** Throws `ContentError` (`corrupt`, `too_large`). */
export function readSvg(source: string): SvgDocument {
  const reader = new SvgReader();
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    // Entities of a document type are not resolved; drawing programs use them only for namespaces.
    if (!error.message.includes('undefined entity'))
      throw new ContentError('corrupt', 'The SVG is not well-formed XML', { cause: error });
  });
  parser.on('opentag', (tag) => reader.open(tag));
  parser.on('closetag', (tag) => reader.close(tag));
  parser.on('text', (text) => reader.text(text));
  parser.on('cdata', (text) => reader.text(text));
  parser.write(source).close();
  return reader.finish();
}

interface PlacedText extends SvgText {
  definedAs: readonly string[] | null;
  place: TextPlace | undefined;
}

class SvgReader {
  private readonly path: string[] = [];
  private readonly texts: PlacedText[] = [];
  private readonly places = new SvgPlaces();
  private readonly parts: string[] = [];
  private root: Map<string, string> | null = null;
  private title: string | null = null;
  private elements = 0;
  /** Depth of the outermost removed element; null outside of one. */
  private removedAt: number | null = null;
  /** Depth of the outermost hidden element; null outside of one. */
  private hiddenAt: number | null = null;
  /** For each open element: null outside of definitions, else the ids by which it can be referenced. */
  private readonly definitions: (readonly string[] | null)[] = [];
  /** Ids that are shown by reference. */
  private readonly used = new Set<string>();
  /** The title, description or text that is currently read. */
  private current: {
    depth: number;
    kind: SvgText['kind'];
    text: string;
    placedBy: SaxesTagPlain;
    place?: TextPlace | undefined;
  } | null = null;

  open(tag: SaxesTagPlain): void {
    const name = localName(tag.name);
    this.path.push(name);
    this.places.open(tag.attributes);
    this.elements += 1;
    const depth = this.path.length;
    if (this.elements > MAX_ELEMENTS || depth > MAX_DEPTH) {
      throw new ContentError('too_large', 'The SVG has too many elements or nests them too deeply');
    }
    if (depth === 1) {
      if (name !== 'svg') throw new ContentError('corrupt', 'The file is not an SVG drawing');
      this.root = safeAttributes(tag);
      return;
    }
    if (REMOVED.has(name)) this.removedAt ??= depth;
    if (isHidden(tag)) this.hiddenAt ??= depth;
    const around = this.definitions.at(-1) ?? null;
    const names = tag.attributes['id'] === undefined ? [] : [tag.attributes['id']];
    this.definitions.push(around === null && !DEFINITIONS.has(name) ? null : [...(around ?? []), ...names]);
    const target = tag.attributes['href'] ?? tag.attributes['xlink:href'] ?? '';
    if (target.startsWith('#') && name !== 'a') this.used.add(target.slice(1));
    const kind = TEXT_KINDS[name];
    if (kind !== undefined && this.current === null) this.current = { depth, kind, text: '', placedBy: tag };
    // A part with its own position is separate from the text before it.
    else if (this.current !== null && ['x', 'y', 'dy'].some((key) => key in tag.attributes)) this.part(tag);
    if (this.removedAt === null) this.parts.push(`<${name}${writeAttributes(safeAttributes(tag))}>`);
  }

  close(tag: SaxesTagPlain): void {
    const name = localName(tag.name);
    const depth = this.path.length;
    if (depth > 1 && this.removedAt === null) this.parts.push(`</${name}>`);
    if (this.removedAt === depth) this.removedAt = null;
    if (this.current?.depth === depth) this.finishText(depth);
    this.places.close();
    if (this.hiddenAt === depth) this.hiddenAt = null;
    if (depth > 1) this.definitions.pop();
    this.path.pop();
  }

  text(text: string): void {
    if (this.path.length < 2) return;
    const inStyle = this.path.at(-1) === 'style';
    const drawn = inStyle ? safeStyle(text) : text.slice(0, this.drawable());
    if (this.removedAt === null) this.parts.push(escapeXml(drawn));
    if (this.current !== null && this.hiddenAt === null && !this.path.some((name) => SILENT.has(name)))
      this.current.text += text;
  }

  finish(): SvgDocument {
    if (this.root === null) throw new ContentError('corrupt', 'The file is not an SVG drawing');
    const [, , boxWidth, boxHeight] = (this.root.get('viewBox') ?? '')
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    const width = lengthOf(this.root.get('width')) ?? positive(boxWidth);
    const height = lengthOf(this.root.get('height')) ?? positive(boxHeight);
    const shown = this.texts.filter(({ definedAs }) => definedAs?.some((name) => this.used.has(name)) ?? true);
    // The position of a text among definitions depends on the reference to it.
    const known = shown.every(
      ({ kind, place, definedAs }) => kind !== 'text' || (place !== undefined && definedAs === null),
    );
    const texts = (known ? inRows(shown) : shown).map(({ kind, text }): SvgText => ({ kind, text }));
    return { title: this.title, texts, width, height, root: this.root, body: this.parts.join('') };
  }

  /**
   * Reads a positioned part of the text. Its position is used for the text if that has none and no text precedes it.
   */
  private part(tag: SaxesTagPlain): void {
    if (this.current === null) return;
    const { text, placedBy } = this.current;
    if (text.trim() === '' && !('x' in placedBy.attributes) && !('y' in placedBy.attributes)) {
      this.current.placedBy = tag;
      this.current.place = this.places.place(tag.attributes, 0);
    }
    this.current.text += ' ';
  }

  private drawable(): number {
    return Math.max(0, MAX_DRAWN_CHARACTERS - (this.current?.text.length ?? 0));
  }

  private finishText(depth: number): void {
    const { kind = 'text', text = '', placedBy, place: ofPart } = this.current ?? {};
    this.current = null;
    const words = text.replaceAll(/\s+/g, ' ').trim();
    if (words === '') return;
    if (kind === 'title' && depth === 2 && this.title === null) this.title = words;
    const own = kind === 'text' && placedBy ? this.places.place(placedBy.attributes, words.length) : undefined;
    const place = kind === 'text' ? (ofPart ?? own) : undefined;
    this.texts.push({ kind, text: words, definedAs: this.definitions.at(-1) ?? null, place });
  }
}

/** Returns whether the element's own attributes hide it; style sheets are not evaluated. */
const isHidden = ({ attributes }: SaxesTagPlain): boolean =>
  attributes['display'] === 'none' ||
  attributes['visibility'] === 'hidden' ||
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/.test(attributes['style'] ?? '');

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

const EMBEDDED_IMAGE = /^data:image\/(?:png|jpe?g|gif|webp);/i;

/** Keeps the required namespaces, no event handlers, and only references within the file. */
function safeAttributes(tag: SaxesTagPlain): Map<string, string> {
  const safe = new Map<string, string>();
  for (const [name, value] of Object.entries(tag.attributes)) {
    const plain = localName(name);
    if (plain === 'href') {
      const target = value.trim();
      if (target.startsWith('#') || (localName(tag.name) === 'image' && EMBEDDED_IMAGE.test(target)))
        safe.set('href', target);
    } else if (name === plain && name !== 'xmlns' && !/^on/i.test(name) && name !== 'src') {
      safe.set(name, safeStyle(value));
    } else if (name === 'xml:space') safe.set(name, value);
  }
  return safe;
}

/** Removes imports and `url(...)` references outside of this file. */
function safeStyle(style: string): string {
  if (!/url|@import|\\/i.test(style)) return style;
  const plain = style.replaceAll('\\', '').replaceAll(/@import[^;]*;?/gi, '');
  return plain.replaceAll(/url\(\s*(["']?)\s*(?!#)[^)]*\)/gi, 'none');
}

export function writeAttributes(attributes: ReadonlyMap<string, string>): string {
  return [...attributes].map(([name, value]) => ` ${name}="${escapeXml(value)}"`).join('');
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  mm: 96 / 25.4,
  cm: 96 / 2.54,
  in: 96,
  em: 16,
};

/** Returns null for percentages and invalid values. */
function lengthOf(value: string | undefined): number | null {
  const match = /^\s*([\d.]+(?:e[+-]?\d+)?)\s*([a-z]*)\s*$/i.exec(value ?? '');
  return positive(Number(match?.[1]) * (UNITS[match?.[2]?.toLowerCase() ?? ''] ?? Number.NaN));
}

function positive(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : null;
}
