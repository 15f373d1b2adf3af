/** JSON bodies, parsed from their raw bytes; what is wrong with one is said in the words of Python's `json`. */
import type { ErrorDetail } from '../../errors.ts';
import { badRequest } from '../../errors.ts';
import { codePoints } from './text.ts';

/** Deeper nesting is refused, as pydantic's parser does: recursion over it would be a way to crash us. */
const MAX_DEPTH = 200;

/** Throws 400 for bytes that are not UTF-8; a byte order mark is skipped. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badRequest('The body is not valid UTF-8');
  }
}

/** `loc` is where the JSON stands, `["body"]` or a form part's; the offset counts characters from its start. */
export function parseJson(text: string, loc: readonly string[]): { value: unknown } | { details: ErrorDetail[] } {
  try {
    const value: unknown = JSON.parse(text);
    const fault = findTooDeep(text);
    return fault === undefined ? { value } : { details: [detailOf(fault, loc)] };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { details: [detailOf(locateFault(text), loc)] };
  }
}

const detailOf = ({ offset, error }: Fault, loc: readonly string[]): ErrorDetail => ({
  loc: [...loc, offset],
  msg: 'JSON decode error',
  type: 'json_invalid',
  ctx: { error },
});

/** Counts brackets outside of strings; the text is known to be valid. */
function findTooDeep(text: string): Fault | undefined {
  if (text.length <= MAX_DEPTH) return undefined;
  let depth = 0;
  const token = /"(?:[^"\\]|\\.)*"|[[{]|[\]}]/gs;
  for (const { 0: match, index } of text.matchAll(token)) {
    if (match === '[' || match === '{') depth += 1;
    else if (match === ']' || match === '}') depth -= 1;
    if (depth > MAX_DEPTH) {
      return { offset: codePoints(text.slice(0, index)), error: `nested more than ${MAX_DEPTH} levels deep` };
    }
  }
  return undefined;
}

interface Fault {
  offset: number;
  error: string;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\n\r]*/y;
const WORD = /true|false|null/y;

/**
 * Finds what Python's decoder would complain about, and where (in code points). Without recursion, so that a body of
 * opening brackets cannot exhaust the stack.
 */
function locateFault(text: string): Fault {
  const scanner = new Scanner(text);
  const fault = scanner.scan() ?? { offset: text.length, error: 'Expecting value' };
  return { offset: codePoints(text.slice(0, fault.offset)), error: fault.error };
}

class Scanner {
  readonly #text: string;
  readonly #open: ('[' | '{')[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): Fault | undefined {
    for (;;) {
      this.#take(SPACE);
      const opened = this.#openBracket();
      if (opened === 'again') continue;
      if (opened !== undefined) return opened;
      const fault = this.#closeOrContinue();
      if (fault !== 'again') return fault;
    }
  }

  /** A value begins here. `again`: a container was opened and its first member comes next; undefined: a value ended. */
  #openBracket(): Fault | 'again' | undefined {
    const character = this.#text[this.#at];
    if (character !== '{' && character !== '[') return this.#scalar();
    this.#at += 1;
    this.#take(SPACE);
    if (this.#text[this.#at] === (character === '{' ? '}' : ']')) {
      this.#at += 1;
      return undefined;
    }
    this.#open.push(character);
    return character === '{' ? (this.#key() ?? 'again') : 'again';
  }

  /** After a value: closes what ends, or stands before the next member. Undefined at the text's regular end. */
  #closeOrContinue(): Fault | 'again' | undefined {
    for (;;) {
      this.#take(SPACE);
      const container = this.#open.at(-1);
      if (container === undefined) {
        return this.#at < this.#text.length ? this.#fault('Extra data') : undefined;
      }
      const character = this.#text[this.#at];
      if (character === (container === '{' ? '}' : ']')) {
        this.#at += 1;
        this.#open.pop();
        continue;
      }
      if (character !== ',') return this.#fault("Expecting ',' delimiter");
      this.#at += 1;
      this.#take(SPACE);
      return container === '{' ? (this.#key() ?? 'again') : 'again';
    }
  }

  #key(): Fault | undefined {
    if (this.#text[this.#at] !== '"') return this.#fault('Expecting property name enclosed in double quotes');
    const fault = this.#string();
    if (fault !== undefined) return fault;
    this.#take(SPACE);
    if (this.#text[this.#at] !== ':') return this.#fault("Expecting ':' delimiter");
    this.#at += 1;
    return undefined;
  }

  #scalar(): Fault | undefined {
    if (this.#text[this.#at] === '"') return this.#string();
    return this.#take(WORD) || this.#take(NUMBER) ? undefined : this.#fault('Expecting value');
  }

  #string(): Fault | undefined {
    const start = this.#at;
    for (let at = start + 1; at < this.#text.length; at += 1) {
      const character = this.#text.charAt(at);
      if (character === '"') {
        this.#at = at + 1;
        return undefined;
      }
      if (character < ' ') return { offset: at, error: 'Invalid control character at' };
      if (character !== '\\') continue;
      at += 1;
      if (at >= this.#text.length) break;
      if (this.#text[at] === 'u') {
        if (!/^[0-9a-f]{4}$/i.test(this.#text.slice(at + 1, at + 5))) {
          return { offset: at, error: 'Invalid \\uXXXX escape' };
        }
        at += 4;
      } else if (!'"\\/bfnrt'.includes(this.#text.charAt(at))) {
        return { offset: at - 1, error: 'Invalid \\escape' };
      }
    }
    return { offset: start, error: 'Unterminated string starting at' };
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }

  #fault(error: string): Fault {
    return { offset: this.#at, error };
  }
}
