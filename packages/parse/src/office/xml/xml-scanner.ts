/**
 * A streaming XML scanner that moves between brackets with `indexOf`. It rejects errors that hide or misplace content
 * (mismatched tags, a second root, text outside the root) and ignores others (forbidden characters, unknown entities).
 * docs/decisions/2026-11-22-libraries.md compares it with saxes.
 */
import { decodeReferences } from './xml-references.ts';

export interface ScannerEvents {
  /** `declares` is true if an attribute declares a namespace. */
  open(name: string, attributes: Readonly<Record<string, string>>, declares: boolean): void;
  close(name: string): void;
  text(text: string): void;
  /** Called with the text between `<!DOCTYPE` and `>`. */
  doctype(text: string): void;
}

/** Thrown for malformed XML. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
}

/** Maximum length of a tag or document type, in characters; longer ones are attacks or not XML. */
const MAX_MARKUP_LENGTH = 1024 * 1024;
const NO_ATTRIBUTES: Readonly<Record<string, string>> = {};
const SPACE = 0x20;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const CLOSINGS = { cdata: ']]>', comment: '-->', instruction: '?>' } as const;

export class XmlScanner {
  readonly #events: ScannerEvents;
  readonly #open: string[] = [];
  readonly #names = new Map<string, string>();
  /** Unfinished input; its last piece does not contain `#awaited`. */
  #pieces: string[] = [];
  #waitingLength = 0;
  #awaited: '<' | '>' = '<';
  /** The kind of an open comment, instruction or CDATA section whose start was already consumed. */
  #within: keyof typeof CLOSINGS | undefined;
  #rooted = false;

  constructor(events: ScannerEvents) {
    this.#events = events;
  }

  write(text: string): void {
    this.#pieces.push(text);
    this.#waitingLength += text.length;
    const inMarkup = this.#awaited === '>' && this.#within === undefined;
    if (inMarkup && this.#waitingLength > MAX_MARKUP_LENGTH + text.length) throw new XmlError('endless markup');
    if (!text.includes(this.#awaited)) return;
    const buffer = this.#pieces.length === 1 ? text : this.#pieces.join('');
    this.#pieces = [];
    const end = this.#scan(buffer);
    if (end < buffer.length) this.#pieces.push(end === 0 ? buffer : buffer.slice(end));
    this.#waitingLength = buffer.length - end;
  }

  /** Ends the document. */
  end(): void {
    this.#text(this.#pieces.join(''));
    if (this.#open.length > 0 || this.#within !== undefined) throw new XmlError('unclosed element');
    if (!this.#rooted) throw new XmlError('no root element');
  }

  /** Returns the offset up to which the buffer was processed. */
  #scan(buffer: string): number {
    let position = 0;
    for (;;) {
      if (this.#within !== undefined) {
        position = this.#skip(buffer, position, this.#within);
        if (this.#within !== undefined) return position;
      }
      const bracket = buffer.indexOf('<', position);
      if (bracket < 0) return this.#await('<', position);
      if (bracket > position) this.#text(buffer.slice(position, bracket));
      const next = this.#markup(buffer, bracket);
      if (next < 0) return this.#await('>', bracket);
      position = next;
    }
  }

  #await(bracket: '<' | '>', position: number): number {
    this.#awaited = bracket;
    return position;
  }

  /** Returns the offset after the markup that begins at `start`; -1 if its end has not arrived. */
  #markup(buffer: string, start: number): number {
    const next = buffer.charAt(start + 1);
    if (next === '!') return this.#declaration(buffer, start);
    if (next === '?') {
      this.#within = 'instruction';
      return start + 2;
    }
    if (next === '/') {
      const end = buffer.indexOf('>', start);
      if (end < 0) return -1;
      this.#close(buffer.slice(start + 2, end).trimEnd());
      return end + 1;
    }
    return this.#tag(buffer, start);
  }

  #declaration(buffer: string, start: number): number {
    if (buffer.startsWith('<!--', start)) {
      this.#within = 'comment';
      return start + 4;
    }
    if (buffer.startsWith('<![CDATA[', start)) {
      this.#within = 'cdata';
      return start + 9;
    }
    const end = buffer.indexOf('>', start);
    if (end < 0) return -1;
    if (!/^<!doctype\s/i.test(buffer.slice(start, start + 10))) throw new XmlError('unknown declaration');
    this.#events.doctype(buffer.slice(start + 9, end));
    return end + 1;
  }

  /** Skips to the end of a comment, instruction or CDATA section; only CDATA is reported. */
  #skip(buffer: string, start: number, kind: keyof typeof CLOSINGS): number {
    const closing = CLOSINGS[kind];
    const found = buffer.indexOf(closing, start);
    // The closing mark may be split between two pieces.
    const end = found < 0 ? Math.max(start, buffer.length - closing.length + 1) : found;
    if (kind === 'cdata' && end > start) this.#events.text(buffer.slice(start, end).replaceAll(/\r\n?/g, '\n'));
    if (found < 0) return this.#await('>', end);
    this.#within = undefined;
    return found + closing.length;
  }

  #text(raw: string): void {
    if (raw === '') return;
    if (this.#open.length === 0) {
      if (raw.trim() !== '') throw new XmlError('text outside of the root element');
      return;
    }
    const text = raw.includes('\r') ? raw.replaceAll(/\r\n?/g, '\n') : raw;
    this.#events.text(text.includes('&') ? decodeReferences(text) : text);
  }

  #close(name: string): void {
    if (this.#open.pop() !== name) throw new XmlError(`unexpected end of ${name}`);
    this.#events.close(name);
  }

  #tag(buffer: string, start: number): number {
    const nameEnd = endOfName(buffer, start + 1);
    const name = this.#name(buffer.slice(start + 1, nameEnd));
    const reader = new AttributeReader(buffer, nameEnd, this.#names);
    const end = reader.read();
    if (end < 0) return -1;
    if (name === '') throw new XmlError('a tag without a name');
    if (this.#open.length === 0 && this.#rooted) throw new XmlError('a second root element');
    this.#rooted = true;
    this.#open.push(name);
    this.#events.open(name, reader.attributes, reader.declares);
    if (reader.empty) this.#close(name);
    return end;
  }

  /** Interns names, because trees contain hundreds of thousands of them. */
  #name(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    this.#names.set(name, name);
    return name;
  }
}

/** Returns the offset of the first white space, slash, equals sign or bracket. */
function endOfName(buffer: string, start: number): number {
  for (let position = start; position < buffer.length; position += 1) {
    const code = buffer.charCodeAt(position);
    if (code <= SPACE || code === SLASH || code === EQUALS || code === 0x3e || code === 0x3c) return position;
  }
  return buffer.length;
}

class AttributeReader {
  attributes = NO_ATTRIBUTES;
  declares = false;
  /** True if the tag ends with a slash. */
  empty = false;
  readonly #buffer: string;
  readonly #names: ReadonlyMap<string, string>;
  #position: number;

  constructor(buffer: string, position: number, names: ReadonlyMap<string, string>) {
    this.#buffer = buffer;
    this.#position = position;
    this.#names = names;
  }

  /** Returns the offset after the tag; -1 if its end has not arrived. */
  read(): number {
    const buffer = this.#buffer;
    let attributes: Record<string, string> | undefined;
    for (;;) {
      this.#skipSpace();
      const character = buffer.charAt(this.#position);
      if (character === '') return -1;
      if (character === '>') {
        if (attributes) this.attributes = attributes;
        return this.#position + 1;
      }
      if (character === '/') {
        const next = buffer.charAt(this.#position + 1);
        if (next === '') return -1;
        if (next !== '>') throw new XmlError('a slash within a tag');
        this.empty = true;
        this.#position += 1;
        continue;
      }
      const start = this.#position;
      this.#position = endOfName(buffer, start);
      const name = buffer.slice(start, this.#position);
      const value = this.#value();
      if (value === undefined) return -1;
      if (name.startsWith('xmlns')) this.declares = true;
      (attributes ??= {})[this.#names.get(name) ?? name] = value;
    }
  }

  #skipSpace(): void {
    while (this.#buffer.charCodeAt(this.#position) <= SPACE) this.#position += 1;
  }

  /** Returns undefined if the end of the value has not arrived. */
  #value(): string | undefined {
    const buffer = this.#buffer;
    this.#skipSpace();
    if (this.#position >= buffer.length) return undefined;
    if (buffer.charCodeAt(this.#position) !== EQUALS) throw new XmlError('an attribute without a value');
    this.#position += 1;
    this.#skipSpace();
    const quote = buffer.charAt(this.#position);
    if (quote === '') return undefined;
    if (quote !== '"' && quote !== "'") throw new XmlError('an attribute value without quotes');
    const end = buffer.indexOf(quote, this.#position + 1);
    if (end < 0) return undefined;
    const raw = buffer.slice(this.#position + 1, end);
    this.#position = end + 1;
    const value = /[\t\r\n]/.test(raw) ? raw.replaceAll(/\r\n|[\t\r\n]/g, ' ') : raw;
    return value.includes('&') ? decodeReferences(value) : value;
  }
}
