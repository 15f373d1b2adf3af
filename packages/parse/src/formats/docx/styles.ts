/** Resolves the paragraph styles of a Word document, following `basedOn`, to their meaning for the block tree. */
import { attribute, child, childrenNamed, descend, integerAttribute, isOn } from '../../office/xml/xml-element.ts';
import type { XmlElement } from '../../office/xml/xml-element.ts';
import { runMarks, type RunMarks } from './run-marks.ts';

export type ParagraphKind = 'body' | 'title' | 'heading' | 'code' | 'quote' | 'caption';

export interface ParagraphStyle {
  kind: ParagraphKind;
  /** Level of headings, 1 to 9. */
  level: number;
  numId: string | undefined;
  numLevel: number | undefined;
  /** Additional list levels of Word's built-in styles such as "List Bullet 2", each of which is a list of its own. */
  listDepth: number;
  /** The style's own font, if it sets one. */
  font: string | undefined;
  hidden: boolean;
  marks: RunMarks;
}

const BODY: ParagraphStyle = {
  kind: 'body',
  level: 0,
  numId: undefined,
  numLevel: undefined,
  listDepth: 0,
  font: undefined,
  hidden: false,
  marks: {},
};
const MAX_INHERITANCE = 20;

/** Exact names in lower case. A style that only mentions code ("Source Reference") is prose. */
const CODE_NAMES = new Set([
  'code',
  'source code',
  'code block',
  'source text',
  'html preformatted',
  'preformatted text',
  'macro',
  'macro text',
  'verbatim',
]);
const QUOTE_NAMES = new Set(['quote', 'intense quote', 'block quote', 'blockquote', 'block text', 'quotations']);

export class Styles {
  readonly #elements = new Map<string, XmlElement>();
  readonly #resolved = new Map<string, ParagraphStyle>();
  #defaultId: string | undefined;

  constructor(root: XmlElement | undefined) {
    for (const style of childrenNamed(root, 'w:style')) {
      const id = attribute(style, 'w:styleId') ?? '';
      this.#elements.set(id, style);
      const isDefault = /^(?:1|true|on)$/.test(attribute(style, 'w:default') ?? '');
      if (isDefault && attribute(style, 'w:type') === 'paragraph') this.#defaultId = id;
    }
  }

  /** Returns the meaning of a paragraph style; of the default style if `id` is undefined. */
  paragraph(id: string | undefined): ParagraphStyle {
    const wanted = id ?? this.#defaultId;
    return wanted === undefined ? BODY : this.#resolve(wanted, 0);
  }

  /** Returns the font and the hidden flag of a character style. */
  character(id: string | undefined): ParagraphStyle {
    return id === undefined ? BODY : this.#resolve(id, 0);
  }

  #resolve(id: string, depth: number): ParagraphStyle {
    const known = this.#resolved.get(id);
    if (known) return known;
    const element = this.#elements.get(id);
    const parentId = attribute(child(element, 'w:basedOn'), 'w:val');
    const parent = parentId === undefined || depth > MAX_INHERITANCE ? BODY : this.#resolve(parentId, depth + 1);
    const style = readStyle(element, id, parent);
    this.#resolved.set(id, style);
    return style;
  }
}

function readStyle(element: XmlElement | undefined, id: string, parent: ParagraphStyle): ParagraphStyle {
  const name = (attribute(child(element, 'w:name'), 'w:val') ?? id).trim().toLowerCase();
  const properties = child(element, 'w:pPr');
  const runProperties = child(element, 'w:rPr');
  const numbering = child(properties, 'w:numPr');
  return {
    ...parent,
    ...kindOf(name, integerAttribute(child(properties, 'w:outlineLvl'), 'w:val'), parent),
    numId: attribute(child(numbering, 'w:numId'), 'w:val') ?? parent.numId,
    numLevel: integerAttribute(child(numbering, 'w:ilvl'), 'w:val') ?? parent.numLevel,
    listDepth: Number(/^list (?:bullet|number) ([2-5])$/.exec(name)?.[1] ?? parent.listDepth + 1) - 1,
    font: attribute(descend(runProperties, 'w:rFonts'), 'w:ascii') ?? parent.font,
    hidden: isOn(child(runProperties, 'w:vanish')) ?? parent.hidden,
    marks: { ...parent.marks, ...runMarks(runProperties) },
  };
}

function kindOf(
  name: string,
  outline: number | undefined,
  parent: ParagraphStyle,
): Pick<ParagraphStyle, 'kind' | 'level'> {
  if (name === 'title') return { kind: 'title', level: 1 };
  if (CODE_NAMES.has(name)) return { kind: 'code', level: 0 };
  if (QUOTE_NAMES.has(name)) return { kind: 'quote', level: 0 };
  if (name === 'caption') return { kind: 'caption', level: 0 };
  // Styles of tables of contents are often based on headings, but only "TOC Heading" is one.
  if (/^(?:toc|table of figures|index) ?\d*$/.test(name)) return { kind: 'body', level: 0 };
  if (outline !== undefined) return outline < 9 ? { kind: 'heading', level: outline + 1 } : { kind: 'body', level: 0 };
  const level = /\bheading ?([1-9])\b/.exec(name)?.[1];
  if (level !== undefined) return { kind: 'heading', level: Number(level) };
  return { kind: parent.kind, level: parent.level };
}

const MONOSPACED =
  /courier|consolas|\bmono\b|monospace|menlo|monaco|lucida console|source code pro|fira code|andale mono|typewriter/i;

export function isMonospaced(font: string | undefined): boolean {
  return font !== undefined && MONOSPACED.test(font);
}
