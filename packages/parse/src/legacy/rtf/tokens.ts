/** Reads RTF as a stream of tokens: groups, control words with their number, and bytes of text. */
export type RtfToken =
  | { kind: 'open' }
  | { kind: 'close' }
  | { kind: 'word'; name: string; value: number | undefined }
  | { kind: 'symbol'; symbol: string }
  | { kind: 'byte'; byte: number };

const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const SPACE = 0x20;
const QUOTE = 0x27;
/** Maximum length of a control word and of its number: the specification's longest have 31 letters and 10 digits. */
const MAX_NAME = 32;
const MAX_DIGITS = 10;

export function* readTokens(bytes: Buffer): Generator<RtfToken> {
  let position = 0;
  while (position < bytes.length) {
    const byte = bytes[position] ?? 0;
    if (byte === BACKSLASH) {
      const control = readControl(bytes, position + 1);
      position = control.end;
      if (control.token) yield control.token;
      if (control.token?.kind === 'word' && control.token.name === 'bin')
        position += Math.max(0, control.token.value ?? 0);
    } else {
      position += 1;
      if (byte === OPEN) yield { kind: 'open' };
      else if (byte === CLOSE) yield { kind: 'close' };
      // Line breaks of the file have no meaning.
      else if (byte !== 10 && byte !== 13 && byte !== 0) yield { kind: 'byte', byte };
    }
  }
}

function readControl(bytes: Buffer, start: number): { token: RtfToken | undefined; end: number } {
  const first = bytes[start];
  if (first === undefined) return { token: undefined, end: start };
  if (first === QUOTE) {
    const byte = Number.parseInt(bytes.subarray(start + 1, start + 3).toString('latin1'), 16);
    return { token: Number.isNaN(byte) ? undefined : { kind: 'byte', byte }, end: start + 3 };
  }
  if (!isLetter(first)) return { token: { kind: 'symbol', symbol: String.fromCharCode(first) }, end: start + 1 };
  let end = start;
  while (end < bytes.length && end - start < MAX_NAME && isLetter(bytes[end] ?? 0)) end += 1;
  const name = bytes.subarray(start, end).toString('latin1');
  const digitsAt = end;
  if (bytes[end] === 0x2d) end += 1;
  while (end < bytes.length && end - digitsAt <= MAX_DIGITS && isDigit(bytes[end] ?? 0)) end += 1;
  const value = Number.parseInt(bytes.subarray(digitsAt, end).toString('latin1'), 10);
  if (bytes[end] === SPACE) end += 1;
  return { token: { kind: 'word', name, value: Number.isNaN(value) ? undefined : value }, end };
}

const isLetter = (byte: number): boolean => (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
