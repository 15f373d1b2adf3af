/**
 * Finds the numbers of a JSON text that JavaScript cannot keep: `JSON.parse` turns 1e400 into infinity, which is stored
 * as null, and 9007199254740993 into ...992. A record would then hold another value than the client sent, and a filter
 * would match other documents.
 */
import { closingQuote } from './json-strings.ts';

export interface LostNumber {
  /** Place of the number in the parsed value. */
  path: (string | number)[];
  /** The number as it was sent, cut to `MAX_SHOWN` characters. */
  source: string;
}

/** A text without a match has no such number: up to 15 digits with an exponent of up to two digits are always kept. */
const SUSPECT = /\d[\d.]{15}|\d[eE][+-]?\d{3}/;
/** The start of a string, a structural character or a whole number. */
const TOKEN = /["[\]{},]|-?\d[\d.eE+-]*/g;
const MAX_SHOWN = 40;

/** Returns the first `max` numbers of a valid JSON text that are not kept. */
export function lostNumbers(text: string, max: number): LostNumber[] {
  return SUSPECT.test(text) ? new NumberScan(text, max).lost() : [];
}

class NumberScan {
  readonly #text: string;
  readonly #max: number;
  readonly #found: LostNumber[] = [];
  /** For each open container the index or the key of its present member. */
  readonly #path: (string | number)[] = [];
  #expectsKey = false;

  constructor(text: string, max: number) {
    this.#text = text;
    this.#max = max;
  }

  lost(): LostNumber[] {
    TOKEN.lastIndex = 0;
    for (let token = TOKEN.exec(this.#text); token !== null; token = TOKEN.exec(this.#text)) {
      this.#read(token[0], token.index);
      if (this.#found.length >= this.#max) break;
    }
    return this.#found;
  }

  #read(token: string, at: number): void {
    if (token === '"') TOKEN.lastIndex = this.#string(at) + 1;
    else if (token === '[') this.#path.push(0);
    else if (token === '{') this.#open();
    else if (token === ']' || token === '}') this.#close();
    else if (token === ',') this.#advance();
    else if (isLost(token)) this.#found.push({ path: [...this.#path], source: shortened(token) });
  }

  #open(): void {
    this.#path.push('');
    this.#expectsKey = true;
  }

  #close(): void {
    this.#path.pop();
    this.#expectsKey = false;
  }

  #advance(): void {
    const member = this.#path.at(-1);
    if (typeof member === 'number') this.#path[this.#path.length - 1] = member + 1;
    this.#expectsKey = typeof member === 'string';
  }

  /** Returns the index of the closing quote. */
  #string(at: number): number {
    const end = closingQuote(this.#text, at);
    if (this.#expectsKey) this.#path[this.#path.length - 1] = String(JSON.parse(this.#text.slice(at, end + 1)));
    this.#expectsKey = false;
    return end;
  }
}

const shortened = (source: string): string => (source.length > MAX_SHOWN ? `${source.slice(0, MAX_SHOWN)}…` : source);

/**
 * Returns true if the number is too large or too small for a double, or is an integer that a double does not print in
 * the same digits. A fraction is rounded to the nearest double, as in every JSON library.
 */
function isLost(source: string): boolean {
  const value = Number(source);
  if (!Number.isFinite(value)) return true;
  if (String(value) === source) return false;
  const sent = decimalOf(source);
  if (value === 0) return sent.digits !== '';
  if (sent.exponent < 0 && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return false;
  const kept = decimalOf(String(value));
  return kept.digits !== sent.digits || kept.exponent !== sent.exponent;
}

/** Splits a number into its significant digits and the power of ten of the last one, without its sign. */
function decimalOf(source: string): { digits: string; exponent: number } {
  const [mantissa = '', power = '0'] = source.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return { digits: digits.slice(0, end), exponent: Number(power) - fraction.length + digits.length - end };
}
