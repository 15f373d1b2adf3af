/**
 * Splits content streams into operations with byte positions, so that unedited parts stay unchanged. Malformed parts
 * are skipped, as viewers do.
 */
export type Operand =
  | { kind: 'number'; value: number }
  | { kind: 'name'; value: string }
  | { kind: 'string'; bytes: Uint8Array }
  | { kind: 'array'; items: Operand[] }
  /** Dictionaries and literals, of which only the position is used. */
  | { kind: 'other' };

export interface ContentOperation {
  name: string;
  operands: Operand[];
  /** `[start, end)` in bytes, from the first operand to the end of the operator. */
  start: number;
  end: number;
}

const WHITE = new Set([0, 9, 10, 12, 13, 32]);
const DELIMITERS = new Set(Array.from('()<>[]{}/%', (character) => character.charCodeAt(0)));
const MAX_OPERANDS = 100_000;

export function* contentOperations(bytes: Uint8Array): Generator<ContentOperation> {
  const reader = new TokenReader(bytes);
  let operands: Operand[] = [];
  let start = -1;
  for (;;) {
    const at = reader.skipSpace();
    const token = reader.next();
    if (token === undefined) return;
    if (start < 0) start = at;
    if (typeof token !== 'string') {
      if (operands.length < MAX_OPERANDS) operands.push(token);
      continue;
    }
    if (token === 'BI') reader.skipInlineImage();
    yield { name: token, operands, start, end: reader.position };
    operands = [];
    start = -1;
  }
}

class TokenReader {
  position = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  skipSpace(): number {
    for (; this.position < this.#bytes.length; this.position += 1) {
      const byte = this.#bytes[this.position] ?? 0;
      if (byte === PERCENT) this.#skipComment();
      else if (!WHITE.has(byte)) break;
    }
    return this.position;
  }

  /** Returns an operand, an operator's name, or undefined at the end. */
  next(): Operand | string | undefined {
    this.skipSpace();
    const byte = this.#bytes[this.position];
    if (byte === undefined) return undefined;
    if (byte === SLASH) return { kind: 'name', value: this.#name() };
    if (byte === OPEN_PARENTHESIS) return { kind: 'string', bytes: this.#literal() };
    if (byte === LESS) return this.#bytes[this.position + 1] === LESS ? this.#dictionary() : this.#hex();
    if (byte === OPEN_BRACKET) return this.#array();
    if (DELIMITERS.has(byte)) {
      this.position += 1;
      return this.next();
    }
    const word = this.#word();
    const value = numberOf(word);
    if (value !== undefined) return { kind: 'number', value };
    return word === 'true' || word === 'false' || word === 'null' ? { kind: 'other' } : word;
  }

  /** Skips from `BI` to `EI`. The end is white space and `EI` followed by readable content. */
  skipInlineImage(): void {
    for (let at = this.position; at < this.#bytes.length; at += 1) {
      const isEnd =
        this.#bytes[at] === 0x45 &&
        this.#bytes[at + 1] === 0x49 &&
        WHITE.has(this.#bytes[at - 1] ?? 0) &&
        isPlain(this.#bytes.subarray(at + 2, at + 12));
      if (!isEnd) continue;
      this.position = at + 2;
      return;
    }
    this.position = this.#bytes.length;
  }

  #skipComment(): void {
    while (this.position < this.#bytes.length && !LINE_ENDS.has(this.#bytes[this.position] ?? 0)) this.position += 1;
  }

  #word(): string {
    const start = this.position;
    while (this.position < this.#bytes.length && !this.#ends(this.#bytes[this.position] ?? 0)) this.position += 1;
    return Buffer.from(this.#bytes.subarray(start, this.position)).toString('latin1');
  }

  #ends(byte: number): boolean {
    return WHITE.has(byte) || DELIMITERS.has(byte);
  }

  #name(): string {
    this.position += 1;
    return this.#word().replace(/#([0-9a-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  }

  #array(): Operand {
    this.position += 1;
    const items: Operand[] = [];
    for (;;) {
      this.skipSpace();
      const byte = this.#bytes[this.position];
      if (byte === undefined) break;
      if (byte === CLOSE_BRACKET) {
        this.position += 1;
        break;
      }
      const item = this.next();
      if (typeof item === 'object' && items.length < MAX_OPERANDS) items.push(item);
    }
    return { kind: 'array', items };
  }

  #dictionary(): Operand {
    let depth = 0;
    while (this.position < this.#bytes.length) {
      this.skipSpace();
      const [byte, after] = [this.#bytes[this.position], this.#bytes[this.position + 1]];
      if (byte === LESS && after === LESS) depth += 1;
      else if (byte === GREATER && after === GREATER) depth -= 1;
      else {
        if (byte === OPEN_PARENTHESIS) this.#literal();
        else this.position += 1;
        continue;
      }
      this.position += 2;
      if (depth === 0) break;
    }
    return { kind: 'other' };
  }

  #hex(): Operand {
    const end = this.#bytes.indexOf(GREATER, this.position);
    const to = end < 0 ? this.#bytes.length : end;
    const digits = Buffer.from(this.#bytes.subarray(this.position + 1, to))
      .toString('latin1')
      .replace(/[^0-9a-f]/gi, '');
    this.position = Math.min(this.#bytes.length, to + 1);
    return { kind: 'string', bytes: Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex') };
  }

  #literal(): Uint8Array {
    const result: number[] = [];
    let depth = 1;
    this.position += 1;
    while (this.position < this.#bytes.length) {
      const byte = this.#bytes[this.position] ?? 0;
      this.position += 1;
      if (byte === BACKSLASH) this.#escape(result);
      else {
        if (byte === OPEN_PARENTHESIS) depth += 1;
        if (byte === CLOSE_PARENTHESIS) depth -= 1;
        if (depth === 0) break;
        result.push(byte);
      }
    }
    return Uint8Array.from(result);
  }

  #escape(result: number[]): void {
    const byte = this.#bytes[this.position] ?? 0;
    this.position += 1;
    const digits = /^[0-7]{1,3}/.exec(
      Buffer.from(this.#bytes.subarray(this.position - 1, this.position + 2)).toString('latin1'),
    )?.[0];
    if (digits !== undefined) {
      this.position += digits.length - 1;
      result.push(Number.parseInt(digits, 8) & 0xff);
    } else if (byte === CARRIAGE_RETURN) {
      if (this.#bytes[this.position] === LINE_FEED) this.position += 1;
    } else if (byte !== LINE_FEED) result.push(ESCAPES.get(byte) ?? byte);
  }
}

const [PERCENT, SLASH, BACKSLASH] = [0x25, 0x2f, 0x5c];
const [OPEN_PARENTHESIS, CLOSE_PARENTHESIS, OPEN_BRACKET, CLOSE_BRACKET] = [0x28, 0x29, 0x5b, 0x5d];
const [LESS, GREATER, LINE_FEED, CARRIAGE_RETURN] = [0x3c, 0x3e, 10, 13];
const LINE_ENDS = new Set([LINE_FEED, CARRIAGE_RETURN]);
const ESCAPES = new Map([
  [0x6e, 10],
  [0x72, 13],
  [0x74, 9],
  [0x62, 8],
  [0x66, 12],
]);

const isPlain = (bytes: Uint8Array): boolean =>
  bytes.length === 0 ||
  (WHITE.has(bytes[0] ?? 0) && bytes.every((byte) => WHITE.has(byte) || (byte > 31 && byte < 127)));

/** Parses numbers as viewers do, including `--5` and `1.2.3`. */
function numberOf(word: string): number | undefined {
  const match = /^[+-]*(?:\d+\.?\d*|\.\d+)/.exec(word);
  if (match === null) return /^[+-.]+$/.test(word) ? 0 : undefined;
  if (match[0].length < word.length && /[^\d.+-]/.test(word)) return undefined;
  const value = Number(match[0].replace(/^[+-]+/, ''));
  return match[0].startsWith('-') ? -value : value;
}
