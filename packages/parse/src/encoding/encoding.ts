/**
 * Tells the encoding of text: a byte order mark, then valid UTF-8, then UTF-16 by where its high bytes are, then what
 * the file or its sender declares, and last the legacy encoding whose decoding reads most like a language.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { plausibility } from './encoding-plausibility.ts';
import { textDecoder } from './text-decoder.ts';

export interface Encoding {
  /** A label that `TextDecoder` knows, or `utf-32le` / `utf-32be`. */
  name: string;
  /** Length of the byte order mark. */
  skipBytes: number;
}

/** In order of how often each is met: the first of equals wins. */
const LEGACY = [
  'windows-1252',
  'shift_jis',
  'gb18030',
  'big5',
  'euc-kr',
  'euc-jp',
  'windows-1251',
  'windows-1250',
  'koi8-r',
  'windows-1254',
  'windows-1253',
  'windows-1255',
  'windows-1256',
  'windows-874',
  'ibm866',
  'iso-8859-2',
  'iso-8859-5',
  'utf-16le',
  'utf-16be',
] as const;

/** Bytes around characters beyond ASCII that the choice among legacy encodings is made from. */
export const SAMPLE_BYTES = 64 * 1024;

export interface EncodingEvidence {
  /** The first bytes of the file, at least 4 KiB when it has as many. */
  head: Uint8Array;
  /** Where the bytes beyond ASCII are; the head again for a short file. */
  sample: Uint8Array;
  /** Whether every byte of the file was checked to be UTF-8. */
  validUtf8: boolean;
  /** A charset that the sender named. */
  declared?: string | undefined;
}

export function chooseEncoding({ head, sample, validUtf8, declared }: EncodingEvidence): Encoding {
  const marked = byteOrderMark(head);
  if (marked !== undefined) return marked;
  const wide = utf16ByHighBytes(head);
  if (wide !== undefined) return { name: wide, skipBytes: 0 };
  const named = knownLabel(declared) ?? knownLabel(declaredInside(head));
  if (hasShiftSequences(head)) return { name: 'iso-2022-jp', skipBytes: 0 };
  if (validUtf8) return { name: 'utf-8', skipBytes: 0 };
  if (named !== undefined && named !== 'utf-8' && decodesCleanly(sample, named)) return { name: named, skipBytes: 0 };
  return { name: mostPlausible(sample), skipBytes: 0 };
}

/** The text of bytes that are all in memory. */
export function decodeBytes(bytes: Uint8Array, declared?: string): string {
  const evidence = { head: bytes.subarray(0, 4096), sample: sampleOf(bytes), validUtf8: isUtf8(bytes), declared };
  const encoding = chooseEncoding(evidence);
  const decoder = textDecoder(encoding.name);
  return decoder.decode(bytes.subarray(encoding.skipBytes)) + decoder.end();
}

/** Parts of the bytes around those beyond ASCII, `SAMPLE_BYTES` at most. */
export function sampleOf(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= SAMPLE_BYTES) return bytes;
  const parts: Uint8Array[] = [];
  const window = 8 * 1024;
  for (let start = 0, taken = 0; start < bytes.length && taken < SAMPLE_BYTES; start += window) {
    const part = bytes.subarray(start, start + window);
    if (isAscii(part)) continue;
    // Begin after an ASCII byte: a sample that begins inside a character is shifted until the next one.
    parts.push(part.subarray(1 + part.findIndex((byte) => byte < 0x40)));
    taken += part.length;
  }
  return Buffer.concat(parts);
}

function byteOrderMark(head: Uint8Array): Encoding | undefined {
  const [a, b, c, d] = head;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { name: 'utf-8', skipBytes: 3 };
  if (a === 0xff && b === 0xfe && c === 0 && d === 0) return { name: 'utf-32le', skipBytes: 4 };
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return { name: 'utf-32be', skipBytes: 4 };
  if (a === 0xff && b === 0xfe) return { name: 'utf-16le', skipBytes: 2 };
  if (a === 0xfe && b === 0xff) return { name: 'utf-16be', skipBytes: 2 };
  return undefined;
}

/** The high bytes of most alphabets in UTF-16 are 0 to 7: control characters, always in the same place of the pair. */
function utf16ByHighBytes(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const pairs = Math.floor(head.length / 2);
  if (pairs === 0) return undefined;
  let even = 0;
  let odd = 0;
  for (let index = 0; index < pairs * 2; index += 2) {
    if ((head[index] ?? 0) < 8) even += 1;
    if ((head[index + 1] ?? 0) < 8) odd += 1;
  }
  const name = odd > even ? 'utf-16le' : 'utf-16be';
  const [high, low] = [Math.max(odd, even) / pairs, Math.min(odd, even) / pairs];
  if (high < 0.3 || low > high * 0.1) return undefined;
  // Fewer may be text with some NUL bytes in it, or Chinese or Japanese with some ASCII.
  return high > 0.8 || plausibility(textDecoder(name).decode(head)) > 0.3 ? name : undefined;
}

/** What HTML's `meta`, XML's declaration or CSS-like headers in the first bytes say. */
function declaredInside(head: Uint8Array): string | undefined {
  const text = Buffer.from(head.subarray(0, 4096)).toString('latin1');
  const xml = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)/i.exec(text);
  return (xml ?? /<meta\b[^>]*\bcharset\s*=\s*["']?\s*([\w.:-]+)/i.exec(text))?.[1];
}

function knownLabel(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    const { encoding } = new TextDecoder(label);
    // A file whose declaration can be read byte by byte is not UTF-16, whatever the declaration says.
    return encoding.startsWith('utf-16') ? undefined : encoding;
  } catch {
    return undefined;
  }
}

function hasShiftSequences(head: Uint8Array): boolean {
  // oxlint-disable-next-line no-control-regex
  return isAscii(head) && /\x1b\$[@B]/.test(Buffer.from(head).toString('latin1'));
}

function decodesCleanly(sample: Uint8Array, name: string): boolean {
  const text = textDecoder(name).decode(sample);
  let broken = 0;
  for (const character of text) if (character === '\ufffd') broken += 1;
  // The sample may begin or end inside a character at each of its windows.
  return broken <= 2 + text.length / 200;
}

function mostPlausible(sample: Uint8Array): string {
  const utf8 = textDecoder('utf-8').decode(sample);
  const broken = utf8.split('\ufffd').length - 1;
  // oxlint-disable-next-line no-control-regex
  const intact = (utf8.match(/[^\x00-\x7f\ufffd]/g) ?? []).length;
  // UTF-8 with a few damaged places: three intact characters by accident are already rare.
  if (intact >= 3 && broken * 4 <= intact) return 'utf-8';
  let best: string = LEGACY[0];
  let bestScore = -Infinity;
  // Only where bytes are no text of one byte a character: line breaks alone have a zero byte in UTF-16.
  const candidates = sample.some(isControl) ? LEGACY : LEGACY.filter((name) => !name.startsWith('utf-16'));
  for (const name of candidates) {
    // Any pair of ASCII letters is a Chinese character in UTF-16: more is wanted of it than of the others.
    const score = plausibility(textDecoder(name).decode(sample)) - (name.startsWith('utf-16') ? 0.3 : 0);
    if (score > bestScore + 0.01) {
      best = name;
      bestScore = score;
    }
  }
  return best;
}

/** Tabs, line and page ends, escapes and the old mark of a file's end are text. */
const isControl = (byte: number): boolean =>
  byte < 0x20 && (byte < 0x09 || byte > 0x0d) && byte !== 0x1b && byte !== 0x1a;
