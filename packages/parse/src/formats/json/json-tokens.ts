/**
 * A JSON reader that preserves what `JSON.parse` loses: the notation of numbers, repeated keys, and the offset of an
 * error. It is not recursive, so depth costs only memory. It also reads several values in a row.
 */
import { ContentError } from '@quire/blocks/content-error';

/** A scalar is represented by its text (strings decoded, numbers as written). */
export type JsonValue =
  | { kind: 'string' | 'number' | 'word'; text: string }
  | { kind: 'array'; values: JsonValue[] }
  | { kind: 'object'; keys: string[]; values: JsonValue[] };

type Container = Extract<JsonValue, { values: JsonValue[] }>;

const SPACE = /[ \t\n\r]*/y;
// oxlint-disable-next-line no-control-regex
const STRING_PART = /[^"\\\u0000-\u001f]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/**
 * Yields the values of the text one at a time: the elements of a top-level array, the values of JSON lines, or a single
 * value. Throws `ContentError('corrupt')` with the offset of an error.
 */
export function* jsonSequence(source: string): Generator<JsonValue> {
  const reader = new JsonReader(source);
  if (reader.isArray) yield* reader.elements();
  while (!reader.atEnd) {
    yield reader.value();
    reader.skipSeparator();
  }
}

/** Returns whether the text begins with an array, to distinguish an array of one value from a single value. */
export function isJsonArray(source: string): boolean {
  return new JsonReader(source).isArray;
}

class JsonReader {
  private readonly source: string;
  private offset = 0;

  constructor(source: string) {
    this.source = source;
    this.skipSpace();
  }

  get atEnd(): boolean {
    return this.offset >= this.source.length;
  }

  /** Skips white space and the record separator of RFC 7464 between top-level values. */
  skipSeparator(): void {
    this.skipSpace();
    while (this.peek() === '\u001e') this.advance();
  }

  get isArray(): boolean {
    return this.peek() === '[';
  }

  *elements(): Generator<JsonValue> {
    this.advance();
    if (this.take(']')) return;
    do yield this.value();
    while (this.take(','));
    if (!this.take(']')) this.fail();
    this.skipSeparator();
  }

  value(): JsonValue {
    const open: Container[] = [];
    for (;;) {
      let value = this.open(open);
      // A finished value is added to its container, which may become finished as well.
      while (value !== undefined) {
        const parent = open.at(-1);
        if (parent === undefined) return value;
        parent.values.push(value);
        value = this.continue(parent, open);
      }
    }
  }

  /** Reads the value that starts here. A non-empty container is pushed to `open` instead of returned. */
  private open(open: Container[]): JsonValue | undefined {
    const character = this.peek();
    if (character === '[') {
      this.advance();
      const array: Container = { kind: 'array', values: [] };
      if (this.take(']')) return array;
      open.push(array);
      return undefined;
    }
    if (character === '{') {
      this.advance();
      const object: Container = { kind: 'object', keys: [], values: [] };
      if (this.take('}')) return object;
      object.keys.push(this.key());
      open.push(object);
      return undefined;
    }
    return this.scalar(character);
  }

  /** Continues after a member: a comma is followed by the next one, a bracket finishes the container. */
  private continue(parent: Container, open: Container[]): JsonValue | undefined {
    if (this.take(',')) {
      if (parent.kind === 'object') parent.keys.push(this.key());
      return undefined;
    }
    if (!this.take(parent.kind === 'array' ? ']' : '}')) this.fail();
    open.pop();
    return parent;
  }

  private key(): string {
    if (this.peek() !== '"') this.fail();
    const key = this.string();
    if (!this.take(':')) this.fail();
    return key;
  }

  private scalar(character: string): JsonValue {
    if (character === '"') return { kind: 'string', text: this.string() };
    const word = this.match(WORD);
    if (word !== '') return this.ended({ kind: 'word', text: word });
    const number = this.match(NUMBER);
    if (number === '') this.fail();
    return this.ended({ kind: 'number', text: number });
  }

  /** Fails if a value is followed by more characters, as in `truex` or `01`. */
  private ended(value: JsonValue): JsonValue {
    if (/[\w.+-]/.test(this.peek())) this.fail();
    this.skipSpace();
    return value;
  }

  private string(): string {
    this.offset += 1;
    let text = this.match(STRING_PART);
    for (let next = this.peek(); next !== '"'; next = this.peek()) {
      if (next !== '\\') this.fail();
      text += this.escape() + this.match(STRING_PART);
    }
    this.advance();
    return text;
  }

  private escape(): string {
    const letter = this.source.charAt(this.offset + 1);
    const simple = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
    if (simple !== undefined) {
      this.offset += 2;
      return simple;
    }
    const code = this.source.slice(this.offset + 2, this.offset + 6);
    if (letter !== 'u' || !/^[0-9a-fA-F]{4}$/.test(code)) this.fail();
    this.offset += 6;
    return String.fromCharCode(Number.parseInt(code, 16));
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.offset;
    const found = pattern.exec(this.source)?.[0] ?? '';
    this.offset += found.length;
    return found;
  }

  private take(character: string): boolean {
    if (this.peek() !== character) return false;
    this.advance();
    return true;
  }

  private advance(): void {
    this.offset += 1;
    this.skipSpace();
  }

  private skipSpace(): void {
    SPACE.lastIndex = this.offset;
    SPACE.exec(this.source);
    this.offset = SPACE.lastIndex;
  }

  private peek(): string {
    return this.source.charAt(this.offset);
  }

  private fail(): never {
    const before = this.source.slice(0, this.offset);
    const line = before.split('\n').length;
    const where = `offset ${this.offset} (line ${line})`;
    const found = this.atEnd ? 'the text ends' : 'there is a character that is not expected';
    throw new ContentError('corrupt', `This is not valid JSON: ${found} at ${where}.`);
  }
}
