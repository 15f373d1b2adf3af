/** Recognises text, HTML and SVG by the first bytes of a file. */

/** Share of control characters above which bytes are not text. Compressed data has 10 %, text almost none. */
const MAX_CONTROL_SHARE = 0.02;
const MARKUP_SEARCH_CHARACTERS = 4096;

/**
 * Returns the beginning of the file as text, undefined if it is binary. The encoding is determined only as far as the
 * checks need.
 */
export function leadingText(head: Buffer): string | undefined {
  const marked = decodeByMark(head);
  if (marked !== undefined) return marked;
  const wide = utf16WithoutMark(head);
  if (wide !== undefined) return wide;
  let controls = 0;
  // An iterator over the bytes takes ten times as long.
  for (let at = 0; at < head.length; at += 1) {
    const byte = head[at] ?? 0;
    if (byte < 0x20 && !isTextControl(byte)) controls += 1;
  }
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

/** Decodes UTF-16 without a byte order mark: western text has zeros in every other byte, and only there. */
function utf16WithoutMark(head: Buffer): string | undefined {
  if (head.length < 4) return undefined;
  let [even, odd] = [0, 0];
  for (let at = 0; at < head.length; at += 2) if (head[at] === 0) even += 1;
  for (let at = 1; at < head.length; at += 2) if (head[at] === 0) odd += 1;
  const threshold = (head.length / 2) * 0.7;
  if (odd > threshold && even === 0) return decode(head, 'utf-16le');
  if (even > threshold && odd === 0) return decode(head, 'utf-16be');
  return undefined;
}

/** Minimum length in characters; shorter texts cannot be distinguished from noise. */
const MIN_WIDE_CHARACTERS = 8;
/** Characters of texts in other scripts. Random bytes decode to them in two characters of five. */
const WIDE_TEXT =
  /[\t\n\r\x20-\x7e\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Armenian}\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Tamil}\p{sc=Thai}\p{sc=Georgian}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}\u00a0-\u00bf\u060c-\u061f\u2010-\u2026\u3000-\u301f\u30fb\u30fc\uff00-\uff20]/gu;
const MIN_WIDE_SHARE = 0.97;
/** Any text of several words matches; random bytes match once in ten thousand characters. */
const WORD_END = /[\t\n\r \u3000-\u3002\uff0c]/;

/** Decodes UTF-16 of other scripts without a byte order mark, if nearly all characters occur in texts. */
function wideText(head: Buffer, encoding: 'utf-16le' | 'utf-16be'): string | undefined {
  const text = decode(head.subarray(0, head.length - (head.length % 2)), encoding);
  const known = text.match(WIDE_TEXT)?.length ?? 0;
  return text.length >= MIN_WIDE_CHARACTERS && WORD_END.test(text) && known >= text.length * MIN_WIDE_SHARE
    ? text
    : undefined;
}

/** Returns the local name of the first element after declarations and comments, in lower case. */
export function rootElement(text: string): string | undefined {
  const start = text.slice(0, MARKUP_SEARCH_CHARACTERS * 4);
  let at = skipSpace(start, byteOrderMark(start));
  for (let end = prologueEnd(start, at); end > at; end = prologueEnd(start, at)) at = skipSpace(start, end);
  return /^<(?:[a-z][\w.-]*:)?([a-z][\w.-]*)/i.exec(start.slice(at))?.[1]?.toLowerCase();
}

/** Returns whether the text is an HTML page and not a text with some markup in it. */
export function looksLikeHtml(text: string): boolean {
  const start = text.slice(0, MARKUP_SEARCH_CHARACTERS * 2);
  let at = skipSpace(start, byteOrderMark(start));
  if (/^<\?xml/i.test(start.slice(at, at + 5))) at = skipSpace(start, instructionEnd(start, at));
  for (let end = commentEnd(start, at); end > at; end = commentEnd(start, at)) at = skipSpace(start, end);
  return /^<(?:!doctype\s+html|html)[\s>]/i.test(start.slice(at));
}

/*
 * The scanners below use `indexOf` because the time of one pattern with nested repetitions would double with every
 * comment at the start of the text.
 */

const byteOrderMark = (text: string): number => (text.startsWith('\ufeff') ? 1 : 0);

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text.charAt(at))) at += 1;
  return at;
}

/** Returns the end of the processing instruction, comment or document type that begins at `at`, or `at` for none. */
function prologueEnd(text: string, at: number): number {
  const end = instructionEnd(text, at);
  if (end > at) return end;
  const afterComment = commentEnd(text, at);
  return afterComment > at ? afterComment : documentTypeEnd(text, at);
}

function instructionEnd(text: string, at: number): number {
  if (!text.startsWith('<?', at)) return at;
  const end = text.indexOf('>', at + 2);
  return end > at + 2 && text[end - 1] === '?' ? end + 1 : at;
}

function commentEnd(text: string, at: number): number {
  if (!text.startsWith('<!--', at)) return at;
  const end = text.indexOf('-->', at + 4);
  return end < 0 ? at : end + 3;
}

/**
 * Handles an internal subset in brackets, which may contain `>`: the document type ends at the first `]` followed by
 * `>`.
 */
function documentTypeEnd(text: string, at: number): number {
  const head = /^<!doctype\s[^>[]*[>[]/i.exec(text.slice(at))?.[0];
  if (head === undefined) return at;
  if (head.endsWith('>')) return at + head.length;
  for (let close = text.indexOf(']', at + head.length); close >= 0; close = text.indexOf(']', close + 1)) {
    const end = skipSpace(text, close + 1);
    if (text[end] === '>') return end + 1;
  }
  return at;
}
