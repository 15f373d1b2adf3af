/**
 * Reads the content of a Word paragraph: text with links, and attachments (pictures, text boxes, notes, equations).
 * Tracked changes are accepted: insertions are kept, deletions dropped.
 */
import type { BlockDraft } from '@quire/blocks/block';
import { TextBuilder } from '../../office/build/text-builder.ts';
import type { BuiltText } from '../../office/build/text-builder.ts';
import { ommlToLatex } from '../../latex/omml.ts';
import {
  attribute,
  child,
  childElements,
  childrenNamed,
  descend,
  firstDescendant,
  integerAttribute,
  isOn,
  textOf,
} from '../../office/xml/xml-element.ts';
import type { XmlElement } from '../../office/xml/xml-element.ts';
import type { DocxContext } from './docx-context.ts';
import { readDrawing } from './drawing.ts';
import type { FieldStack } from '../../office/build/fields.ts';
import { hyperlinkAddress } from '../../office/build/fields.ts';
import { marksOf, runMarks, type RunMarks } from './run-marks.ts';
import { isMonospaced, type ParagraphStyle } from './styles.ts';
import { symbolCharacter } from '../../structure/symbol-fonts.ts';

/** Attachments of a paragraph in order: finished blocks, or the unread content of a text box. */
export type Attachment = { kind: 'block'; block: BlockDraft } | { kind: 'box'; content: XmlElement };

export interface InlineContent extends BuiltText {
  attachments: Attachment[];
  /** The text including leading and trailing white space. */
  rawText: string;
  /** LaTeX of the paragraph's equations, if it contains nothing else. */
  formulas: string[] | undefined;
  /** True if every run with text has a monospaced font. */
  monospaced: boolean;
}

export class InlineReader {
  readonly #context: DocxContext;
  readonly #fields: FieldStack;
  readonly #text = new TextBuilder();
  readonly #attachments: Attachment[] = [];
  readonly #formulas: string[] = [];
  #proseCharacters = 0;
  #monospacedCharacters = 0;
  #paragraphFont: string | undefined;
  #paragraphMarks: RunMarks = {};

  constructor(context: DocxContext, fields: FieldStack) {
    this.#context = context;
    this.#fields = fields;
  }

  read(paragraph: XmlElement, style: Pick<ParagraphStyle, 'font' | 'marks'>): InlineContent {
    this.#paragraphFont = style.font;
    this.#paragraphMarks = style.marks;
    this.#children(paragraph);
    const built = this.#text.finish();
    return {
      ...built,
      attachments: this.#attachments,
      rawText: this.#text.text,
      formulas: this.#formulas.length > 0 && this.#proseCharacters === 0 ? this.#formulas : undefined,
      monospaced: this.#proseCharacters > 0 && this.#monospacedCharacters === this.#proseCharacters,
    };
  }

  #children(element: XmlElement): void {
    for (const node of childElements(element)) this.#node(node);
  }

  #node(element: XmlElement): void {
    switch (element.name) {
      case 'w:r':
        this.#run(element);
        break;
      case 'w:hyperlink':
        this.#hyperlink(element);
        break;
      case 'w:fldSimple':
        this.#linked(hyperlinkAddress(attribute(element, 'w:instr') ?? ''), element);
        break;
      case 'm:oMath':
        this.#formula(ommlToLatex(element));
        break;
      case 'mc:AlternateContent':
        this.#alternate(element);
        break;
      case 'w:ins':
      case 'w:moveTo': {
        const start = this.#text.length;
        this.#children(element);
        this.#text.mark(start, ['inserted']);
        break;
      }
      case 'w:pPr':
      case 'w:rPr':
      case 'w:sdtPr':
      case 'w:sdtEndPr':
      case 'w:del':
      case 'w:moveFrom':
      case 'm:oMathParaPr':
        break;
      default:
        // Other elements are wrappers (insertions, structured document tags, smart tags, oMathPara, bidi).
        this.#children(element);
    }
  }

  #hyperlink(element: XmlElement): void {
    this.#linked(this.#context.externalTarget(attribute(element, 'r:id')), element);
  }

  #linked(href: string | undefined, element: XmlElement): void {
    this.#text.openLink(href ?? '');
    this.#children(element);
    this.#text.closeLink();
  }

  #formula(latex: string): void {
    if (latex === '') return;
    this.#formulas.push(latex);
    this.#text.appendFormula(latex);
  }

  /** Reads the first alternative with content; the fallback repeats it in an older form. */
  #alternate(element: XmlElement): void {
    for (const choice of childElements(element)) {
      const before = this.#text.length + this.#attachments.length;
      this.#inRun(choice, undefined);
      if (this.#text.length + this.#attachments.length > before) return;
    }
  }

  #run(run: XmlElement): void {
    const properties = child(run, 'w:rPr');
    const style = this.#context.styles.character(attribute(child(properties, 'w:rStyle'), 'w:val'));
    if (isOn(child(properties, 'w:vanish')) ?? style.hidden) {
      // Hidden text is skipped, but field marks inside it still count.
      for (const mark of childrenNamed(run, 'w:fldChar')) this.#fieldMark(mark);
      return;
    }
    const fonts = child(properties, 'w:rFonts');
    const start = this.#text.length;
    this.#inRun(run, attribute(fonts, 'w:ascii') ?? attribute(fonts, 'w:hAnsi') ?? style.font ?? this.#paragraphFont);
    this.#text.mark(start, marksOf({ ...this.#paragraphMarks, ...style.marks, ...runMarks(properties) }));
  }

  #inRun(run: XmlElement, font: string | undefined): void {
    for (const element of childElements(run)) this.#runContent(element, font);
  }

  #runContent(element: XmlElement, font: string | undefined): void {
    switch (element.name) {
      case 'w:t':
        this.#prose(textOf(element), font);
        break;
      case 'w:tab':
      case 'w:ptab':
        this.#prose('\t', font);
        break;
      case 'w:br':
      case 'w:cr':
        this.#prose('\n', font);
        break;
      case 'w:noBreakHyphen':
        this.#prose('-', font);
        break;
      case 'w:sym':
        this.#symbol(element);
        break;
      case 'w:fldChar':
        this.#fieldMark(element);
        break;
      case 'w:instrText':
        this.#fields.instruct(textOf(element));
        break;
      case 'w:footnoteReference':
      case 'w:endnoteReference':
        this.#note(element);
        break;
      case 'w:commentReference':
        this.#context.notes.comment(attribute(element, 'w:id') ?? '');
        break;
      case 'w:object':
        this.#object(element);
        break;
      case 'w:drawing':
      case 'w:pict':
        this.#attachments.push(...readDrawing(element, this.#context));
        break;
      case 'w:ruby':
        this.#children(child(element, 'w:rubyBase') ?? element);
        break;
      case 'mc:AlternateContent':
        this.#alternate(element);
        break;
      case 'w:r':
        this.#run(element);
        break;
      default:
    }
  }

  #prose(text: string, font: string | undefined): void {
    if (this.#fields.hidesText) return;
    this.#text.append(text);
    const visible = text.trim().length;
    this.#proseCharacters += visible;
    if (isMonospaced(font)) this.#monospacedCharacters += visible;
  }

  #symbol(element: XmlElement): void {
    const code = Number.parseInt(attribute(element, 'w:char') ?? '', 16);
    if (!Number.isNaN(code)) this.#prose(symbolCharacter(attribute(element, 'w:font') ?? '', code), undefined);
  }

  /** Reads an embedded object as its picture, except for formulas of Equation Editor and MathType. */
  #object(element: XmlElement): void {
    const embedded = firstDescendant(element, 'o:OLEObject');
    const latex = this.#context.equation(attribute(embedded, 'r:id'), attribute(embedded, 'ProgID'));
    if (latex === undefined) this.#attachments.push(...readDrawing(element, this.#context));
    else this.#formula(latex);
  }

  #note(element: XmlElement): void {
    const kind = element.name === 'w:footnoteReference' ? 'footnote' : 'endnote';
    const mark = this.#context.notes.reference(kind, attribute(element, 'w:id') ?? '');
    if (mark !== undefined) this.#prose(`[${mark}]`, undefined);
  }

  #fieldMark(element: XmlElement): void {
    const type = attribute(element, 'w:fldCharType');
    if (type === 'begin') {
      const checkBox = descend(element, 'w:ffData', 'w:checkBox');
      if (checkBox) this.#prose(isChecked(checkBox) ? '☒' : '☐', undefined);
      this.#fields.begin();
    } else if (type === 'separate') {
      const address = this.#fields.separate();
      if (address !== undefined) this.#text.openLink(address);
    } else if (type === 'end' && this.#fields.end()) {
      this.#text.closeLink();
    }
  }
}

function isChecked(checkBox: XmlElement): boolean {
  return isOn(child(checkBox, 'w:checked')) ?? isOn(child(checkBox, 'w:default')) ?? false;
}

/** Returns the paragraph's list and level from its own properties. */
export function ownNumbering(properties: XmlElement | undefined): { numId?: string; level?: number } {
  const numbering = child(properties, 'w:numPr');
  const numId = attribute(child(numbering, 'w:numId'), 'w:val');
  const level = integerAttribute(child(numbering, 'w:ilvl'), 'w:val');
  return { ...(numId === undefined ? {} : { numId }), ...(level === undefined ? {} : { level }) };
}

/** Returns whether the paragraph's end mark is a tracked deletion, so that the next paragraph continues this one. */
export function endsDeleted(properties: XmlElement | undefined): boolean {
  return firstDescendant(child(properties, 'w:rPr'), 'w:del') !== undefined;
}
