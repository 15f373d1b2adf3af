/** Parses JSON bodies from text; faults carry the messages and offsets of Python's `json` module. */
import { INPUT_LIMITS } from '@quire/shared/input-limits';
import { badRequest, MAX_DETAILS, type ErrorDetail } from '../errors.ts';
import { lostNumbers, type LostNumber } from './json-numbers.ts';
import { closingQuote } from './json-strings.ts';
import { codePoints } from './text.ts';
import { limitProblem, valueProblem } from './problem.ts';

/** Maximum nesting of a body, as in pydantic's parser: recursive code over a deeper one could exhaust the stack. */
const MAX_DEPTH = INPUT_LIMITS.jsonLevels.max;
/** Maximum number of values in a body; bounds the time and memory that validation takes. */
const MAX_VALUES = INPUT_LIMITS.jsonValues.max;

/** Decodes UTF-8 and drops a byte order mark. Throws 400 for invalid bytes. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badRequest('The body is not valid UTF-8');
  }
}

/**
 * Parses `text`. Refuses numbers that would not be kept. `loc` names the body or the form part; the offset of a fault
 * counts characters from its start.
 */
export function parseJson(text: string, loc: readonly string[]): { value: unknown } | { details: ErrorDetail[] } {
  // Parsing a body that is nested a million levels deep takes a second, so the nesting is checked before.
  const excess = findExcess(text);
  if (excess === 'values') {
    const found = limitProblem(MAX_VALUES, `more than ${MAX_VALUES} values in one body`);
    return { details: [{ loc: [...loc], ...found.problem }] };
  }
  if (excess !== undefined) return { details: [detailOf(excess, loc, { limit: MAX_DEPTH })] };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { details: [detailOf(locateFault(text), loc)] };
  }
  const lost = lostNumbers(text, MAX_DETAILS);
  return lost.length === 0 ? { value } : { details: lost.map((number) => lostDetail(number, loc)) };
}

const detailOf = ({ offset, error }: Fault, loc: readonly string[], more: { limit?: number } = {}): ErrorDetail => ({
  loc: [...loc, offset],
  msg: 'JSON decode error',
  type: 'json_invalid',
  ctx: { error, ...more },
});

const lostDetail = ({ path, source }: LostNumber, loc: readonly string[]): ErrorDetail => ({
  loc: [...loc, ...path],
  ...valueProblem(`the number ${source} cannot be kept exactly; send it as a text`).problem,
});

const STRUCTURE = /["[\]{},]/g;

/** Finds nesting beyond `MAX_DEPTH` or more than `MAX_VALUES` values; the text need not be valid JSON. */
function findExcess(text: string): Fault | 'values' | undefined {
  let depth = 0;
  let values = 1;
  STRUCTURE.lastIndex = 0;
  for (let found = STRUCTURE.exec(text); found !== null; found = STRUCTURE.exec(text)) {
    const [character] = found;
    if (character === '"') STRUCTURE.lastIndex = closingQuote(text, found.index) + 1;
    else if (character === ']' || character === '}') depth -= 1;
    else {
      values += 1;
      if (character !== ',') depth += 1;
      if (depth > MAX_DEPTH) {
        return { offset: codePoints(text.slice(0, found.index)), error: `nested more than ${MAX_DEPTH} levels deep` };
      }
      if (values > MAX_VALUES) return 'values';
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
/** Characters of a string that need no closer look. */
// oxlint-disable-next-line no-control-regex
const PLAIN = /[^"\\\u0000-\u001f]*/y;

/**
 * Returns the fault that Python's decoder would report, with its offset in code points. It does not recurse, so a body
 * of opening brackets cannot exhaust the stack.
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

  /** Reads the start of a value. Returns `again` before the first member of a container, undefined after a scalar. */
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

  /**
   * Closes containers after a value. Returns `again` before the next member, undefined at the regular end of the text.
   */
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
      PLAIN.lastIndex = at;
      PLAIN.test(this.#text);
      at = PLAIN.lastIndex;
      if (at >= this.#text.length) break;
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
