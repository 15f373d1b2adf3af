/**
 * A streaming XML scanner that goes from bracket to bracket with `indexOf`: five times as fast as one that looks at each
 * character. It checks what hides or misplaces content (tags that do not match, a second root, text outside of it) and
 * passes over what does not (characters that XML forbids, unknown entities).
 */
import { decodeReferences } from './xml-references.ts';

export interface ScannerEvents {
  /** `declares`: one of the attributes declares a namespace. */
  open(name: string, attributes: Readonly<Record<string, string>>, declares: boolean): void;
  close(name: string): void;
  text(text: string): void;
  /** What stands between `<!DOCTYPE` and `>`. */
  doctype(text: string): void;
}

/** What is wrong with the document as XML. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
}

/** Of a tag or document type; a longer one is an attack, or no XML at all. */
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
  /** What has come and could not be finished yet; the last piece holds no `#awaited`. */
  #pieces: string[] = [];
  #waitingLength = 0;
  #awaited: '<' | '>' = '<';
  /** What the end of is still to come; its beginning is gone. */
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

  /** The document is over. */
  end(): void {
    this.#text(this.#pieces.join(''));
    if (this.#open.length > 0 || this.#within !== undefined) throw new XmlError('unclosed element');
    if (!this.#rooted) throw new XmlError('no root element');
  }

  /** Answers how far the buffer has been dealt with. */
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

  /** The offset after the markup that begins at `start`; -1 when its end has not come. */
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

  /** Up to the end of a comment, an instruction or unparsed text, of which only the last is told. */
  #skip(buffer: string, start: number, kind: keyof typeof CLOSINGS): number {
    const closing = CLOSINGS[kind];
    const found = buffer.indexOf(closing, start);
    // The closing mark may come in two pieces.
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

  /** One string for each name, however often it comes: trees hold hundreds of thousands. */
  #name(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    this.#names.set(name, name);
    return name;
  }
}

/** White space, a slash, an equals sign or a bracket. */
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
  /** The tag ends with a slash. */
  empty = false;
  readonly #buffer: string;
  readonly #names: ReadonlyMap<string, string>;
  #position: number;

  constructor(buffer: string, position: number, names: ReadonlyMap<string, string>) {
    this.#buffer = buffer;
    this.#position = position;
    this.#names = names;
  }

  /** The offset after the tag; -1 when its end has not come. */
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

  /** Undefined when its end has not come. */
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
