/** Tells text from other bytes, and HTML and SVG from other text, by the first bytes of a file. */

/** Share of control characters above which bytes are no text: compressed data has 10 %, text next to none. */
const MAX_CONTROL_SHARE = 0.02;
const MARKUP_SEARCH_CHARACTERS = 4096;

/** The beginning of the file as text, undefined when it is none. Encodings are told apart only as far as that needs. */
export function leadingText(head: Buffer): string | undefined {
  const marked = decodeByMark(head);
  if (marked !== undefined) return marked;
  const wide = utf16WithoutMark(head);
  if (wide !== undefined) return wide;
  let controls = 0;
  for (const byte of head) if (byte < 0x20 && !isTextControl(byte)) controls += 1;
  if (controls <= head.length * MAX_CONTROL_SHARE) return head.toString('latin1');
  return wideText(head, 'utf-16le') ?? wideText(head, 'utf-16be');
}

/** Tab, line feed, vertical tab, form feed, carriage return, escape (terminal colours), Ctrl-Z (old end of file). */
const isTextControl = (byte: number): boolean => (byte >= 0x09 && byte <= 0x0d) || byte === 0x1b || byte === 0x1a;

function decodeByMark(head: Buffer): string | undefined {
  const [a, b, c, d] = head;
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? utf32(head, true) : decode(head, 'utf-16le');
  if (a === 0xfe && b === 0xff) return decode(head, 'utf-16be');
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return utf32(head, false);
  return a === 0xef && b === 0xbb && c === 0xbf ? head.toString('utf8').slice(1) : undefined;
}

const decode = (bytes: Buffer, encoding: string): string => new TextDecoder(encoding).decode(bytes);

function utf32(head: Buffer, littleEndian: boolean): string {
  let text = '';
  for (let at = 4; at + 4 <= head.length; at += 4) {
    const point = littleEndian ? head.readUInt32LE(at) : head.readUInt32BE(at);
    text += point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd';
  }
  return text;
}

/** Western text in UTF-16 has zeros in every other byte, and only there. */
function utf16WithoutMark(head: Buffer): string | undefined {
  if (head.length < 4) return undefined;
  const zeros = [0, 0];
  for (let at = 0; at < head.length; at += 1) if (head[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const most = (head.length / 2) * 0.7;
  if (odd > most && even === 0) return decode(head, 'utf-16le');
  if (even > most && odd === 0) return decode(head, 'utf-16be');
  return undefined;
}

/** Too few to tell a language from noise. */
const MIN_WIDE_CHARACTERS = 8;
/** What texts of other scripts consist of. Bytes at random hit these blocks with two characters in five. */
const WIDE_TEXT =
  /[\t\n\r\x20-\x7e\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Armenian}\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Tamil}\p{sc=Thai}\p{sc=Georgian}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}\u00a0-\u00bf\u060c-\u061f\u2010-\u2026\u3000-\u301f\u30fb\u30fc\uff00-\uff20]/gu;
const MIN_WIDE_SHARE = 0.97;
/** Every text of some words has one; bytes at random hit them once in ten thousand characters. */
const WORD_END = /[\t\n\r \u3000-\u3002\uff0c]/;

/** Text of another script in UTF-16 without a mark: nearly all of its characters are such that texts have. */
function wideText(head: Buffer, encoding: 'utf-16le' | 'utf-16be'): string | undefined {
  const text = decode(head.subarray(0, head.length - (head.length % 2)), encoding);
  const known = text.match(WIDE_TEXT)?.length ?? 0;
  return text.length >= MIN_WIDE_CHARACTERS && WORD_END.test(text) && known >= text.length * MIN_WIDE_SHARE
    ? text
    : undefined;
}

const PROLOGUE = /^\ufeff?\s*(?:<\?[^>]*\?>\s*|<!--[\s\S]*?-->\s*|<!doctype\s[^>[]*(?:\[[\s\S]*?\]\s*)?>\s*)*/i;

/** The local name of the first element after declarations and comments, in lower case. */
export function rootElement(text: string): string | undefined {
  const start = text.slice(0, MARKUP_SEARCH_CHARACTERS * 4);
  const rest = start.slice(PROLOGUE.exec(start)?.[0].length ?? 0);
  return /^<(?:[a-z][\w.-]*:)?([a-z][\w.-]*)/i.exec(rest)?.[1]?.toLowerCase();
}

/** A whole page, not a piece of markup in another text. */
export function looksLikeHtml(text: string): boolean {
  return /^\ufeff?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--[\s\S]{0,4096}?-->\s*)*<(?:!doctype\s+html|html)[\s>]/i.test(
    text.slice(0, MARKUP_SEARCH_CHARACTERS * 2),
  );
}
