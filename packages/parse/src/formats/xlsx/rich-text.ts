/** Collects the text of a rich string (`si`, `is`) with the marks of its runs; phonetic guides are left out. */
import type { MarkKind, TextMark } from '@quire/blocks/block';
import type { XmlAttributes } from '../../office/xml/xml-element.ts';
import { decodeEscapes } from './decode-escapes.ts';

export interface RichText {
  text: string;
  marks: TextMark[];
}

export class RichTextReader {
  #text = '';
  #run = '';
  #runMarks: MarkKind[] = [];
  #marks: TextMark[] = [];
  #inText = false;
  #inPhonetic = false;

  start(): void {
    this.#text = '';
    this.#run = '';
    this.#runMarks = [];
    this.#marks = [];
  }

  open(name: string, attributes: XmlAttributes): void {
    if (name === 'rPh') this.#inPhonetic = true;
    else if (name === 't') this.#inText = !this.#inPhonetic;
    else if (name === 'r') this.#endRun();
    else this.#runMarks.push(...fontMarks(name, attributes));
  }

  text(text: string): void {
    if (this.#inText) this.#run += text;
  }

  close(name: string): void {
    if (name === 'rPh') this.#inPhonetic = false;
    else if (name === 't') this.#inText = false;
    else if (name === 'r') this.#endRun();
  }

  finish(): RichText {
    this.#endRun();
    return { text: this.#text, marks: this.#marks };
  }

  #endRun(): void {
    const start = this.#text.length;
    this.#text += decodeEscapes(this.#run);
    const end = this.#text.length;
    if (end > start) for (const kind of this.#runMarks) this.#marks.push({ start, end, kind });
    this.#run = '';
    this.#runMarks = [];
  }
}

/** Returns the marks of an element of font properties (ISO/IEC 29500-1, 18.4.10 strike, 18.4.14 vertAlign). */
export function fontMarks(name: string, attributes: XmlAttributes): MarkKind[] {
  const value = attributes['val'];
  if (name === 'strike') return value === '0' || value === 'false' ? [] : ['struck'];
  if (name !== 'vertAlign') return [];
  return value === 'superscript' ? ['raised'] : value === 'subscript' ? ['lowered'] : [];
}
