/** Reads the style sheet (STSH): which styles are headings, titles or similar, also through base styles. */
import { decodeBytes } from '../compound/code-pages.ts';
import type { FileInformation } from './file-information.ts';
import type { Property } from './properties.ts';
import { readModernProperties } from './properties.ts';

export type StyleKind = 'body' | 'title' | 'heading' | 'quote' | 'caption' | 'code';

export interface DocStyle {
  kind: StyleKind;
  /** Level of headings, 1 to 9. */
  level: number;
  /** Paragraph properties that the style itself sets. */
  properties: Property[];
  base: number;
}

/** Built-in style numbers (sti) of [MS-DOC] 2.9.260. */
const BUILT_IN: Readonly<Record<number, StyleKind>> = { 34: 'caption', 62: 'title', 101: 'code' };
const NO_BASE = 0xfff;
const MAX_INHERITANCE = 20;

export class StyleSheet {
  readonly #styles: (DocStyle | undefined)[] = [];

  constructor(information: FileInformation) {
    const { tables, modern, locations } = information;
    const { offset, length } = locations.styles;
    const end = Math.min(tables.length, offset + length);
    if (length < 4 || end <= offset) return;
    const count = tables.readUInt16LE(offset + 2);
    const baseBytes = tables.readUInt16LE(offset + 4);
    let position = offset + 2 + tables.readUInt16LE(offset);
    for (let index = 0; index < count && position + 2 <= end; index += 1) {
      const size = tables.readUInt16LE(position);
      const style = tables.subarray(position + 2, Math.min(end, position + 2 + size));
      this.#styles.push(size < 4 ? undefined : readStyle(style, baseBytes, modern));
      position += 2 + size;
    }
  }

  kindOf(index: number): Pick<DocStyle, 'kind' | 'level'> {
    for (const style of this.#inheritance(index)) if (style.kind !== 'body') return style;
    return { kind: 'body', level: 0 };
  }

  /** Returns the properties of a style, those of its base styles first. */
  propertiesOf(index: number): Property[] {
    return [...this.#inheritance(index)].toReversed().flatMap((style) => style.properties);
  }

  *#inheritance(index: number): Generator<DocStyle> {
    let current = index;
    for (let depth = 0; depth < MAX_INHERITANCE && current !== NO_BASE; depth += 1) {
      const style = this.#styles[current];
      if (!style) return;
      yield style;
      current = style.base;
    }
  }
}

function readStyle(style: Buffer, baseBytes: number, modern: boolean): DocStyle {
  const builtIn = style.readUInt16LE(0) & 0xfff;
  const base = style.readUInt16LE(2) >> 4;
  const name = readName(style, baseBytes, modern);
  const properties = modern ? readStyleProperties(style, name.end) : [];
  return { ...kindOf(builtIn, name.text), properties, base };
}

function readName(style: Buffer, baseBytes: number, modern: boolean): { text: string; end: number } {
  if (baseBytes + 2 > style.length) return { text: '', end: style.length };
  if (!modern) {
    const length = style.readUInt8(baseBytes);
    return {
      text: decodeBytes(style.subarray(baseBytes + 1, baseBytes + 1 + length), 'windows-1252'),
      end: style.length,
    };
  }
  const length = style.readUInt16LE(baseBytes);
  const start = baseBytes + 2;
  // The name is also terminated by a zero.
  return { text: style.subarray(start, start + length * 2).toString('utf16le'), end: start + length * 2 + 2 };
}

/** Returns the first property list of a paragraph style: its style number, then paragraph properties. */
function readStyleProperties(style: Buffer, nameEnd: number): Property[] {
  if (style.length < 6 || (style.readUInt16LE(2) & 0xf) !== 1) return [];
  const start = nameEnd + (nameEnd % 2);
  if (start + 2 > style.length) return [];
  const end = Math.min(style.length, start + 2 + style.readUInt16LE(start));
  return [...readModernProperties(style, start + 4, end)];
}

function kindOf(builtIn: number, name: string): Pick<DocStyle, 'kind' | 'level'> {
  if (builtIn >= 1 && builtIn <= 9) return { kind: 'heading', level: builtIn };
  const kind = BUILT_IN[builtIn];
  if (kind) return { kind, level: 0 };
  const level = /^heading ([1-9])\b/i.exec(name)?.[1];
  if (level !== undefined) return { kind: 'heading', level: Number(level) };
  if (/^(?:html preformatted|source code|code|preformatted text)$/i.test(name)) return { kind: 'code', level: 0 };
  return { kind: /^(?:intense )?quote$/i.test(name) ? 'quote' : /^title$/i.test(name) ? 'title' : 'body', level: 0 };
}
