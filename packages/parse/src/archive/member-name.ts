/** Decodes the names of archive members and decides whether they are safe as paths. */
import { TextDecoder } from 'node:util';
import { crc32 } from 'node:zlib';
import { extraField } from './extra-field.ts';

/** The upper half of CP437, the default encoding of names in zip files. */
const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes a name as Unicode if the flag or the Info-ZIP field says so, else as UTF-8 if the bytes are valid (many
 * writers forget the flag), then as Shift_JIS or GBK if the bytes are valid there and come in pairs, and finally as
 * CP437.
 */
export function decodeMemberName(raw: Buffer, extra: Buffer, utf8: boolean): string {
  if (utf8) return raw.toString('utf8');
  if (raw.every((byte) => byte < 0x80)) return raw.toString('latin1');
  return unicodePathField(raw, extra) ?? decodeStrict(raw, strictUtf8) ?? decodeEastAsian(raw) ?? decodeCp437(raw);
}

/** Reads Info-ZIP's Unicode path field: version, checksum of the plain name, name. */
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

/** Requires at least two bytes per character, because a single upper byte is an accented letter of CP437. */
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
 * Returns the path with `/` between folders; undefined if it is absolute, leaves the archive or holds forbidden
 * characters. Windows writers use backslashes.
 */
export function safeMemberPath(name: string): string | undefined {
  const path = name.replaceAll('\\', '/');
  if (path.startsWith('/') || /^[a-z]:/i.test(path) || path.includes('\0')) return undefined;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length === 0 || parts.includes('..') ? undefined : parts.join('/');
}

/** Returns whether the file was added by a file manager or operating system. */
export function isJunk(path: string): boolean {
  const parts = path.split('/');
  const last = parts.at(-1) ?? '';
  if (parts.includes('__MACOSX')) return true;
  return last === '.DS_Store' || last.startsWith('._') || /^(thumbs\.db|desktop\.ini)$/i.test(last);
}
