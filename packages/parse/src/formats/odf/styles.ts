/** Resolves OpenDocument paragraph and list styles to their meaning for the block tree. */
import type { MarkKind } from '@quire/blocks/block';
import { formatNumber } from '../../office/build/number-format.ts';
import {
  attribute,
  child,
  childElements,
  descendants,
  firstDescendant,
  integerAttribute,
} from '../../office/xml/xml-element.ts';
import type { XmlElement } from '../../office/xml/xml-element.ts';
import { lengthInPoints } from './length.ts';

export type ParagraphKind = 'body' | 'title' | 'heading' | 'code' | 'quote' | 'caption';

const KINDS: Readonly<Record<string, ParagraphKind>> = {
  Title: 'title',
  Preformatted_20_Text: 'code',
  HTML_20_Preformatted: 'code',
  Source_20_Text: 'code',
  Quotations: 'quote',
  Quote: 'quote',
  Caption: 'caption',
  Illustration: 'caption',
  Figure: 'caption',
};
const MAX_INHERITANCE = 20;
const FORMATS: Readonly<Record<string, string>> = {
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
};

/** One level of a list or of the outline. */
export interface ListLevel {
  bullet: boolean;
  format: string;
  prefix: string;
  suffix: string;
  start: number;
  displayLevels: number;
}

export class OdfStyles {
  readonly #styles = new Map<string, XmlElement>();
  readonly #lists = new Map<string, Map<number, ListLevel>>();
  readonly #kinds = new Map<string, ParagraphKind>();
  readonly #marks = new Map<string, MarkKind[]>();
  #outline = new Map<number, ListLevel>();

  /** Registers the styles below the element; called for styles.xml and the automatic styles of the content. */
  add(root: XmlElement | undefined): void {
    for (const style of descendants(root, 'style:style')) {
      this.#styles.set(`${attribute(style, 'style:family') ?? ''}/${attribute(style, 'style:name') ?? ''}`, style);
    }
    for (const list of descendants(root, 'text:list-style')) {
      this.#lists.set(attribute(list, 'style:name') ?? '', readLevels(list));
    }
    const outline = firstDescendant(root, 'text:outline-style');
    if (outline) this.#outline = readLevels(outline);
  }

  paragraphKind(name: string | undefined): ParagraphKind {
    if (name === undefined) return 'body';
    let kind = this.#kinds.get(name);
    if (kind === undefined) {
      kind =
        this.#inheritance('paragraph', name)
          .map((each) => KINDS[each])
          .find((each) => each !== undefined) ?? 'body';
      this.#kinds.set(name, kind);
    }
    return kind;
  }

  /** Returns the list style that a paragraph style refers to. */
  listStyleOf(paragraphStyle: string): string | undefined {
    return attribute(this.#styles.get(`paragraph/${paragraphStyle}`), 'style:list-style-name');
  }

  listLevel(style: string | undefined, level: number): ListLevel | undefined {
    return this.#lists.get(style ?? '')?.get(level);
  }

  outlineLevel(level: number): ListLevel | undefined {
    return this.#outline.get(level);
  }

  /** Returns whether the text style, or one that it inherits from, hides its text. */
  isHiddenText(name: string | undefined): boolean {
    if (name === undefined) return false;
    return this.#inheritance('text', name).some((each) => {
      const properties = child(this.#styles.get(`text/${each}`), 'style:text-properties');
      return attribute(properties, 'text:display') === 'none';
    });
  }

  /** Returns the marks of a style, the nearest that sets each; in cells the struck part of a style covers the cell. */
  marks(family: 'text' | 'paragraph' | 'table-cell', name: string | undefined): MarkKind[] {
    if (name === undefined) return [];
    const known = this.#marks.get(`${family}/${name}`);
    if (known !== undefined) return known;
    const properties = this.#inheritance(family, name).map((each) =>
      child(this.#styles.get(`${family}/${each}`), 'style:text-properties'),
    );
    const set = (attributeName: string): string | undefined =>
      properties.map((each) => attribute(each, attributeName)).find((value) => value !== undefined);
    const line = set('style:text-line-through-style') ?? set('style:text-line-through-type') ?? 'none';
    const shift = shiftOf(set('style:text-position') ?? '');
    const marks: MarkKind[] = [
      ...(line === 'none' ? [] : ['struck' as const]),
      ...(shift === undefined ? [] : [shift]),
    ];
    this.#marks.set(`${family}/${name}`, marks);
    return marks;
  }

  /** Returns the column width of a style in points; undefined if it states none. */
  columnWidth(style: string | undefined): number | undefined {
    const properties = child(this.#styles.get(`table-column/${style ?? ''}`), 'style:table-column-properties');
    return lengthInPoints(attribute(properties, 'style:column-width'));
  }

  rowHeight(style: string | undefined): number | undefined {
    const properties = child(this.#styles.get(`table-row/${style ?? ''}`), 'style:table-row-properties');
    return lengthInPoints(attribute(properties, 'style:row-height'));
  }

  isHiddenTable(style: string | undefined): boolean {
    const properties = child(this.#styles.get(`table/${style ?? ''}`), 'style:table-properties');
    return attribute(properties, 'table:display') === 'false';
  }

  #inheritance(family: string, name: string): string[] {
    const names = [name];
    let current: string | undefined = name;
    while (current !== undefined && names.length < MAX_INHERITANCE) {
      current = attribute(this.#styles.get(`${family}/${current}`), 'style:parent-style-name');
      if (current !== undefined) names.push(current);
    }
    return names;
  }
}

/** Reads `super`, `sub` or a percentage of the font's height. */
function shiftOf(position: string): 'raised' | 'lowered' | undefined {
  const word = position.trim().split(/\s+/)[0] ?? '';
  if (word === 'super') return 'raised';
  if (word === 'sub') return 'lowered';
  const percent = Number.parseFloat(word);
  if (Number.isNaN(percent) || percent === 0) return undefined;
  return percent > 0 ? 'raised' : 'lowered';
}

function readLevels(list: XmlElement): Map<number, ListLevel> {
  return new Map(
    childElements(list).map((level) => [
      integerAttribute(level, 'text:level') ?? 1,
      {
        bullet: level.name === 'text:list-level-style-bullet' || level.name === 'text:list-level-style-image',
        format: attribute(level, 'style:num-format') ?? '',
        prefix: attribute(level, 'style:num-prefix') ?? '',
        suffix: attribute(level, 'style:num-suffix') ?? '',
        start: startOf(level),
        displayLevels: integerAttribute(level, 'text:display-levels') ?? 1,
      },
    ]),
  );
}

/** Counts the entries of one list, or the headings, by level and formats their labels. */
export class ListCounter {
  readonly #counts: number[] = [];

  /** Advances the level, counted from 1, and restarts those below it. */
  advance(level: number, start: number): number {
    this.#counts.length = Math.min(this.#counts.length, level);
    const next = (this.#counts[level - 1] ?? start - 1) + 1;
    this.#counts[level - 1] = next;
    return next;
  }

  /** Sets the number of the next entry of the level. */
  restart(level: number, number: number): void {
    this.#counts[level - 1] = number - 1;
  }

  /** Returns the displayed label; `levelAt` describes any level. */
  label(level: number, levelAt: (level: number) => ListLevel | undefined): string {
    const own = levelAt(level);
    if (!own || own.format === '') return '';
    const first = Math.max(1, level - own.displayLevels + 1);
    const numbers: string[] = [];
    for (let each = first; each <= level; each += 1) {
      const format = levelAt(each)?.format ?? '1';
      if (format !== '') numbers.push(formatNumber(this.#counts[each - 1] ?? 1, FORMATS[format] ?? 'decimal'));
    }
    return `${own.prefix}${numbers.join('.')}${own.suffix}`.trim();
  }
}

/** Maximum start number; larger ones exceed the input limit of office programs and are damage. */
const MAX_START = 32_767;

function startOf(level: XmlElement): number {
  const start = integerAttribute(level, 'text:start-value') ?? 1;
  return start <= MAX_START ? start : 1;
}
