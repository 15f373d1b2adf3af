import { textDecoder, type PieceDecoder } from '../../encoding/text-decoder.ts';

/** Code pages by the character set numbers of fonts (`\fcharset`). */
const BY_CHARACTER_SET: Readonly<Record<number, string>> = {
  0: 'windows-1252',
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gbk',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
};
const BY_NUMBER: Readonly<Record<number, string>> = {
  437: 'windows-1252',
  850: 'windows-1252',
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  65001: 'utf-8',
};

/** Returns the code page; undefined for set 1, the document's own, and for unknown sets. */
export const codePageOfCharacterSet = (set: number): string | undefined => BY_CHARACTER_SET[set];

export function codePageOfNumber(number: number): string {
  return BY_NUMBER[number] ?? (number >= 1250 && number <= 1258 ? `windows-${number}` : 'windows-1252');
}

const decoders = new Map<string, PieceDecoder>();

export function decodeText(bytes: readonly number[], codePage: string): string {
  let decoder = decoders.get(codePage);
  if (!decoder) {
    decoder = textDecoder(codePage);
    decoders.set(codePage, decoder);
  }
  return decoder.decode(Uint8Array.from(bytes)) + decoder.end();
}
