/**
 * Windows code pages: selects the one of a language, and decodes one byte to one character, so that positions are
 * preserved.
 */
import { textDecoder } from '../../encoding/text-decoder.ts';

/** Code pages by primary language id; all others are Western. */
const BY_LANGUAGE: Readonly<Record<number, string>> = {
  0x01: 'windows-1256',
  0x02: 'windows-1251',
  0x05: 'windows-1250',
  0x08: 'windows-1253',
  0x0d: 'windows-1255',
  0x0e: 'windows-1250',
  0x15: 'windows-1250',
  0x18: 'windows-1250',
  0x19: 'windows-1251',
  0x1b: 'windows-1250',
  0x1e: 'windows-874',
  0x1f: 'windows-1254',
  0x22: 'windows-1251',
  0x23: 'windows-1251',
  0x24: 'windows-1250',
  0x25: 'windows-1257',
  0x26: 'windows-1257',
  0x27: 'windows-1257',
  0x2a: 'windows-1258',
};

export function codePageOf(languageId: number): string {
  return BY_LANGUAGE[languageId & 0x3ff] ?? 'windows-1252';
}

const tables = new Map<string, string[]>();

/** Decodes single-byte text. Control characters below 0x20 are kept, because Word files use them as marks. */
export function decodeBytes(bytes: Uint8Array, codePage: string): string {
  let table = tables.get(codePage);
  if (!table) {
    const decoder = textDecoder(codePage);
    table = Array.from({ length: 256 }, (_, byte) => decoder.decode(Uint8Array.of(byte)));
    tables.set(codePage, table);
  }
  let text = '';
  for (const byte of bytes) text += table[byte] ?? '';
  return text;
}
