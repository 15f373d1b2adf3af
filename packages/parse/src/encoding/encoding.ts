/**
 * Detects the encoding of text. Evidence in this order: byte order mark, UTF-16 by the position of high bytes, valid
 * UTF-8, the declaration of the file or its sender, and the legacy encoding whose decoding is most plausible.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { plausibility } from './encoding-plausibility.ts';
import { textDecoder } from './text-decoder.ts';

export interface Encoding {
  /** A label that `TextDecoder` supports, or `utf-32le` / `utf-32be`. */
  name: string;
  /** Length of the byte order mark. */
  skipBytes: number;
}

/** Candidates in order of frequency: the first of equal scores wins. */
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

/** Size of the sample around non-ASCII bytes from which legacy encodings are chosen, in bytes. */
export const SAMPLE_BYTES = 64 * 1024;

export interface EncodingEvidence {
  /** The first bytes of the file: at least 4 KiB, or all of a smaller file. */
  head: Uint8Array;
  /** Bytes around those beyond ASCII; equal to the head for a short file. */
  sample: Uint8Array;
  /** True if the whole file is valid UTF-8. */
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

/** Decodes bytes that are completely in memory. */
export function decodeBytes(bytes: Uint8Array, declared?: string): string {
  const evidence = { head: bytes.subarray(0, 4096), sample: sampleOf(bytes), validUtf8: isUtf8(bytes), declared };
  const encoding = chooseEncoding(evidence);
  const decoder = textDecoder(encoding.name);
  return decoder.decode(bytes.subarray(encoding.skipBytes)) + decoder.end();
}

/** Returns at most `SAMPLE_BYTES` from around the non-ASCII bytes. */
export function sampleOf(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= SAMPLE_BYTES) return bytes;
  const parts: Uint8Array[] = [];
  const window = 8 * 1024;
  for (let start = 0, taken = 0; start < bytes.length && taken < SAMPLE_BYTES; start += window) {
    const part = bytes.subarray(start, start + window);
    if (isAscii(part)) continue;
    // The part begins after an ASCII byte; if it began inside a character, decoding would be shifted.
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

/**
 * Detects UTF-16 by its high bytes: for most alphabets they are 0 to 7, which are control characters, always at the
 * same position of the pair.
 */
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
  // A lower share may be text with some NUL bytes, or Chinese or Japanese with some ASCII.
  return high > 0.8 || plausibility(textDecoder(name).decode(head)) > 0.3 ? name : undefined;
}

/** Returns the charset that an HTML `meta` element or an XML declaration in the first bytes names. */
function declaredInside(head: Uint8Array): string | undefined {
  const text = Buffer.from(head.subarray(0, 4096)).toString('latin1');
  const xml = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)/i.exec(text);
  return (xml ?? /<meta\b[^>]*\bcharset\s*=\s*["']?\s*([\w.:-]+)/i.exec(text))?.[1];
}

function knownLabel(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    const { encoding } = new TextDecoder(label);
    // A file whose declaration is readable byte by byte is not UTF-16, even if the declaration says so.
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
  // Each window of the sample may begin or end inside a character.
  return broken <= 2 + text.length / 200;
}

function mostPlausible(sample: Uint8Array): string {
  const utf8 = textDecoder('utf-8').decode(sample);
  const broken = utf8.split('\ufffd').length - 1;
  // oxlint-disable-next-line no-control-regex
  const intact = (utf8.match(/[^\x00-\x7f\ufffd]/g) ?? []).length;
  // Accepts UTF-8 with a few damaged places: three intact characters are already unlikely by accident.
  if (intact >= 3 && broken * 4 <= intact) return 'utf-8';
  let best: string = LEGACY[0];
  let bestScore = -Infinity;
  // UTF-16 is a candidate only if the sample has control bytes: its line breaks alone contain a zero byte.
  const candidates = sample.some(isControl) ? LEGACY : LEGACY.filter((name) => !name.startsWith('utf-16'));
  for (const name of candidates) {
    // Any pair of ASCII letters decodes to a Chinese character in UTF-16, so UTF-16 needs a higher score.
    const score = plausibility(textDecoder(name).decode(sample)) - (name.startsWith('utf-16') ? 0.3 : 0);
    if (score > bestScore + 0.01) {
      best = name;
      bestScore = score;
    }
  }
  return best;
}

/** Tabs, line and page ends, escape and Ctrl-Z (the old end-of-file mark) occur in text. */
const isControl = (byte: number): boolean =>
  byte < 0x20 && (byte < 0x09 || byte > 0x0d) && byte !== 0x1b && byte !== 0x1a;
