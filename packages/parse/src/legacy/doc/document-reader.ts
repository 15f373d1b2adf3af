/** Reads the text of a Word binary file paragraph by paragraph into blocks. */
import type { BlockDraft, MarkKind } from '@quire/blocks/block';
import { TITLE_LEVEL } from '../../office/build/document-title.ts';
import { EdgeTable } from '../../office/build/edge-table.ts';
import { FieldStack } from '../../office/build/fields.ts';
import { addListEntry, withLabel } from '../../office/build/list-labels.ts';
import type { Numbering } from '../../office/build/numbering.ts';
import { symbolCharacter } from '../../structure/symbol-fonts.ts';
import { Story } from '../../office/build/story.ts';
import { TextBuilder } from '../../office/build/text-builder.ts';
import type { BuiltText } from '../../office/build/text-builder.ts';
import type { FileInformation } from './file-information.ts';
import { readCharacterRuns, readParagraphRuns, runAt } from './formatted-pages.ts';
import type { PropertyRun } from './formatted-pages.ts';
import { readFontNames } from './fonts.ts';
import { readLists } from './lists.ts';
import { paragraphFormat } from './paragraph-format.ts';
import type { ParagraphFormat } from './paragraph-format.ts';
import { StyleSheet } from './style-sheet.ts';
import { DocumentText } from './text.ts';

const PARAGRAPH_END = '\r';
const CELL_END = '\u0007';
const PAGE_END = '\f';
const FIELD_BEGIN = '\u0013';
const FIELD_SEPARATOR = '\u0014';
const FIELD_END = '\u0015';
const REFERENCE = '\u0002';
const DRAWN = '\b';
const DELETED = 0x0800;
const HIDDEN = 0x083c;
const SYMBOL = 0x6a09;
/** Properties of struck, doubly struck, raised and lowered characters ([MS-DOC] 2.6.1: CFStrike, CFDStrike, CIss). */
const STRIKE = 0x0837;
const DOUBLE_STRIKE = 0x2a53;
const SHIFT = 0x2a48;
const UNUSUAL: ReadonlySet<number> = new Set([DELETED, HIDDEN, SYMBOL, STRIKE, DOUBLE_STRIKE, SHIFT]);
/**
 * Property of the separator of a field that embeds an object: the object's number ([MS-DOC] 2.6.1, sprmCPicLocation).
 */
const OBJECT = 0x6a03;
const MAX_HEADING_LEVEL = 9;

/** Notes and text boxes anchored at characters, by position. */
export interface Anchors {
  /** Displayed note numbers at references. */
  marks: ReadonlyMap<number, string>;
  /** Text boxes as ranges of characters; they follow their anchor paragraph. */
  boxes: ReadonlyMap<number, readonly { start: number; end: number }[]>;
}

/** Returns the LaTeX of the embedded object with the number, if it is a formula. */
export type Equations = (objectNumber: number) => string | undefined;

const NO_ANCHORS: Anchors = { marks: new Map(), boxes: new Map() };

export class DocumentReader {
  readonly #information: FileInformation;
  readonly #text: DocumentText;
  readonly #paragraphRuns: PropertyRun[];
  /** Runs of hidden, deleted or marked text and of symbol characters; most documents have none. */
  readonly #unusualRuns: PropertyRun[];
  readonly #objectRuns: PropertyRun[];
  readonly #equations: Equations;
  readonly #fonts: readonly string[];
  readonly #styles: StyleSheet;
  readonly #numbering: Numbering;

  constructor(information: FileInformation, equations: Equations) {
    this.#information = information;
    this.#equations = equations;
    this.#text = new DocumentText(information);
    this.#paragraphRuns = readParagraphRuns(information);
    const runs = readCharacterRuns(information);
    this.#unusualRuns = runs.filter((run) => run.properties.some((each) => UNUSUAL.has(each.code)));
    this.#objectRuns = runs.filter((run) => run.properties.some((each) => each.code === OBJECT));
    this.#fonts = readFontNames(information);
    this.#styles = new StyleSheet(information);
    this.#numbering = readLists(information);
  }

  /** Returns the blocks of a range of characters, with their notes and text boxes. */
  read(start: number, end: number, anchors: Anchors = NO_ANCHORS): BlockDraft[] {
    return new RangeReader(this, anchors).read(start, end);
  }

  get length(): number {
    return this.#text.characters.length;
  }

  character(position: number): string {
    return this.#text.characters[position] ?? '';
  }

  /** Returns the style number and format of the paragraph that ends at the character. */
  formatAt(position: number): { style: number; format: ParagraphFormat } {
    const run = runAt(this.#paragraphRuns, this.#text.fileOffset(position));
    const style = run?.style ?? 0;
    const properties = [...this.#styles.propertiesOf(style), ...(run?.properties ?? [])];
    return { style, format: paragraphFormat(properties, this.#information.modern) };
  }

  /** Returns the LaTeX of the formula embedded by the field with this separator. */
  equationAt(position: number): string | undefined {
    if (this.#objectRuns.length === 0) return undefined;
    const run = runAt(this.#objectRuns, this.#text.fileOffset(position));
    const object = run?.properties.find((each) => each.code === OBJECT);
    return object && this.#equations(object.operand.readUInt32LE(0));
  }

  kindOf(style: number): ReturnType<StyleSheet['kindOf']> {
    return this.#styles.kindOf(style);
  }

  get numbering(): Numbering {
    return this.#numbering;
  }

  marksAt(position: number): MarkKind[] {
    if (this.#unusualRuns.length === 0) return [];
    const marks = new Set<MarkKind>();
    const run = runAt(this.#unusualRuns, this.#text.fileOffset(position));
    for (const { code, operand } of run?.properties ?? []) {
      if ((code === STRIKE || code === DOUBLE_STRIKE) && operand[0] === 1) marks.add('struck');
      if (code === SHIFT && operand[0] === 1) marks.add('raised');
      if (code === SHIFT && operand[0] === 2) marks.add('lowered');
    }
    return [...marks];
  }

  /** Returns the displayed character: empty if hidden or deleted, the Unicode character for symbol fonts. */
  shown(position: number): string {
    const character = this.character(position);
    if (this.#unusualRuns.length === 0) return shownCharacter(character);
    const run = runAt(this.#unusualRuns, this.#text.fileOffset(position));
    let text: string | undefined;
    for (const { code, operand } of run?.properties ?? []) {
      if ((code === DELETED || code === HIDDEN) && operand[0] === 1) return '';
      if (code === SYMBOL) text = symbolCharacter(this.#fonts[operand.readUInt16LE(0)] ?? '', operand.readUInt16LE(2));
    }
    return text ?? shownCharacter(character);
  }
}

class RangeReader {
  readonly #reader: DocumentReader;
  readonly #anchors: Anchors;
  readonly #fields = new FieldStack();
  readonly #stories: Story[] = [new Story()];
  readonly #tables: EdgeTable[] = [];
  #text = new TextBuilder();
  /** Text boxes of the current paragraph. */
  #boxes: { start: number; end: number }[] = [];
  #formulas: string[] = [];

  constructor(reader: DocumentReader, anchors: Anchors) {
    this.#reader = reader;
    this.#anchors = anchors;
  }

  read(start: number, end: number): BlockDraft[] {
    const last = Math.min(end, this.#reader.length);
    for (let position = start; position < last; position += 1) {
      const character = this.#reader.character(position);
      if (character === PARAGRAPH_END || character === CELL_END) this.#endParagraph(position, character);
      else if (character === PAGE_END) this.#text.append('\n');
      else this.#append(character, position);
    }
    this.#closeTables(0);
    if (this.#text.length > 0) this.#writeParagraph(Math.max(start, last - 1));
    return this.#stories[0]?.blocks ?? [];
  }

  #append(character: string, position: number): void {
    switch (character) {
      case FIELD_BEGIN:
        this.#fields.begin();
        return;
      case FIELD_SEPARATOR: {
        const address = this.#fields.separate();
        if (address !== undefined) this.#text.openLink(address);
        this.#formula(this.#reader.equationAt(position));
        return;
      }
      case FIELD_END:
        if (this.#fields.end()) this.#text.closeLink();
        return;
      default:
    }
    if (this.#fields.hidesText) {
      this.#fields.instruct(character);
      return;
    }
    if (character === DRAWN) this.#boxes.push(...(this.#anchors.boxes.get(position) ?? []));
    if (character === REFERENCE) {
      const mark = this.#anchors.marks.get(position);
      if (mark !== undefined) this.#text.append(`[${mark}]`);
    } else {
      const start = this.#text.length;
      this.#text.append(this.#reader.shown(position));
      this.#text.mark(start, this.#reader.marksAt(position));
    }
  }

  #formula(latex: string | undefined): void {
    if (latex === undefined) return;
    this.#text.appendFormula(latex);
    this.#formulas.push(latex);
  }

  #endParagraph(position: number, character: string): void {
    const { format } = this.#reader.formatAt(position);
    const depth = format.inTable ? Math.max(1, format.tableDepth) : 0;
    this.#closeTables(depth);
    while (this.#tables.length < depth) {
      this.#tables.push(new EdgeTable());
      this.#stories.push(new Story());
    }
    const table = this.#tables.at(-1);
    if (table && (format.endsRow || format.endsInnerRow)) {
      table.endRow(format.row);
      this.#text = new TextBuilder();
      return;
    }
    this.#writeParagraph(position);
    if (table && (character === CELL_END || format.endsInnerCell)) {
      const blocks = this.#stories.pop()?.blocks ?? [];
      table.addCell(blocks);
      this.#stories.push(new Story());
    }
  }

  /** Ends the tables nested deeper than `depth`. */
  #closeTables(depth: number): void {
    while (this.#tables.length > depth) {
      this.#stories.pop();
      this.#story.addBlocks(this.#tables.pop()?.finish() ?? []);
    }
  }

  get #story(): Story {
    return this.#stories.at(-1) ?? new Story();
  }

  #writeParagraph(position: number): void {
    this.#writeText(position);
    for (const { start, end } of this.#boxes.splice(0)) this.#story.addBlocks(this.#reader.read(start, end));
  }

  #writeText(position: number): void {
    const raw = this.#text.text;
    const content = this.#text.finish();
    this.#text = new TextBuilder();
    const formulas = this.#formulas.splice(0);
    const { style, format } = this.#reader.formatAt(position);
    const { kind, level } = this.#kindOf(style, format);
    if (kind === 'code') {
      this.#story.addCode(raw.trimEnd());
      return;
    }
    if (content.text === '') return;
    const label =
      format.listId === 0 ? undefined : this.#reader.numbering.next(String(format.listId), format.listLevel);
    if (kind === 'title' || kind === 'heading')
      this.#heading(content, label?.label, kind === 'title' ? TITLE_LEVEL : level);
    else if (formulas.length > 0 && content.text === formulas.map((latex) => `$${latex}$`).join(' '))
      this.#story.addBlocks(formulas.map((text) => ({ type: 'formula', text })));
    else if (label) addListEntry(this.#story, content, label, format.listLevel);
    else this.#story.addText(kind === 'body' ? 'paragraph' : kind, content);
  }

  #heading(content: BuiltText, label: string | undefined, level: number): void {
    this.#story.addText('heading', withLabel(content, label), level);
  }

  #kindOf(style: number, format: ParagraphFormat): ReturnType<StyleSheet['kindOf']> {
    const own = this.#reader.kindOf(style);
    if (format.outline === undefined || own.kind === 'title' || own.kind === 'code') return own;
    if (format.outline < MAX_HEADING_LEVEL) return { kind: 'heading', level: format.outline + 1 };
    return own.kind === 'heading' ? { kind: 'body', level: 0 } : own;
  }
}

/** Returns the text of Word's special characters; anchors of pictures and other objects have none. */
function shownCharacter(character: string): string {
  switch (character) {
    case '\u000b':
    case '\u000e':
      return '\n';
    case '\u001e':
      return '-';
    case '\t':
      return '\t';
    default:
      return character < ' ' ? '' : character;
  }
}
