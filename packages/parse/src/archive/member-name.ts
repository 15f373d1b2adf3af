/** Names of archive members: their encoding, and whether they may be used as a path. */
import { TextDecoder } from 'node:util';
import { crc32 } from 'node:zlib';
import { extraField } from './extra-field.ts';

/** CP437's upper half, what a zip name is in when nothing else is said. */
const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Unicode by the flag or the Info-ZIP field; else UTF-8 where the bytes are valid UTF-8 (many writers forget the
 * flag), then Shift_JIS and GBK where the bytes are valid there and come in pairs, last CP437 as the format says.
 */
export function decodeMemberName(raw: Buffer, extra: Buffer, utf8: boolean): string {
  if (utf8) return raw.toString('utf8');
  if (raw.every((byte) => byte < 0x80)) return raw.toString('latin1');
  return unicodePathField(raw, extra) ?? decodeStrict(raw, strictUtf8) ?? decodeEastAsian(raw) ?? decodeCp437(raw);
}

/** Info-ZIP's Unicode path: version, checksum of the plain name, the name. */
function unicodePathField(raw: Buffer, extra: Buffer): string | undefined {
  const field = extraField(extra, 0x7075);
  if (field === undefined || field.length <= 5 || field[0] !== 1 || field.readUInt32LE(1) !== crc32(raw))
    return undefined;
  return decodeStrict(field.subarray(5), strictUtf8);
}

function decodeStrict(raw: Buffer, decoder: TextDecoder): string | undefined {
  try {
    return decoder.decode(raw);
  } catch {
    return undefined;
  }
}

/** Two bytes at least for each character: a lone upper byte is an accented letter of CP437. */
function decodeEastAsian(raw: Buffer): string | undefined {
  const upper = raw.filter((byte) => byte >= 0x80).length;
  if (upper < 4) return undefined;
  for (const encoding of ['shift_jis', 'gb18030']) {
    const text = decodeStrict(raw, new TextDecoder(encoding, { fatal: true }));
    const characters = text?.match(/[\u3040-\u30ff\u4e00-\u9fff]/gu)?.length ?? 0;
    if (text !== undefined && characters * 2 >= upper) return text;
  }
  return undefined;
}

function decodeCp437(raw: Buffer): string {
  return Array.from(raw, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : (CP437[byte - 0x80] ?? '?'))).join('');
}

/**
 * The path with `/` between folders, or undefined when it is absolute, leads out of the archive or holds characters
 * that no path may hold. Windows writers put backslashes.
 */
export function safeMemberPath(name: string): string | undefined {
  const path = name.replaceAll('\\', '/');
  if (path.startsWith('/') || /^[a-z]:/i.test(path) || path.includes('\0')) return undefined;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length === 0 || parts.includes('..') ? undefined : parts.join('/');
}

/** What file managers and operating systems leave in archives. */
export function isJunk(path: string): boolean {
  const parts = path.split('/');
  const last = parts.at(-1) ?? '';
  if (parts.includes('__MACOSX')) return true;
  return last === '.DS_Store' || last.startsWith('._') || /^(thumbs\.db|desktop\.ini)$/i.test(last);
}
