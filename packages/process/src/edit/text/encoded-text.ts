/** Decodes a text file for an edit and encodes it in its original encoding. */
import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { ContentError } from '@quire/blocks/content-error';
import { chooseEncoding, sampleOf } from '@quire/parse/encoding/encoding';
import { textDecoder } from '@quire/parse/encoding/text-decoder';
import type { SourceFile } from '@quire/parse/parser';

const MAX_BYTES = 100 * 1024 ** 2;

export interface EncodedText {
  text: string;
  /** Encodes the edited text. Throws `unsupported` for characters that the encoding lacks. */
  encode: (text: string) => Buffer;
}

export async function readEncodedText(file: SourceFile): Promise<EncodedText> {
  if (file.sizeBytes > MAX_BYTES) throw new ContentError('too_large', 'Text files are edited up to 100 MB');
  const bytes = await readFile(file.path);
  const declared = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(file.contentType)?.[1];
  const evidence = { head: bytes.subarray(0, 64 * 1024), sample: sampleOf(bytes), validUtf8: isUtf8(bytes), declared };
  const { name, skipBytes } = chooseEncoding(evidence);
  const decoder = textDecoder(name);
  const body = bytes.subarray(skipBytes);
  const text = decoder.decode(body) + decoder.end();
  const encoder = encoderFor(name);
  if (!encoder(text).equals(body)) {
    throw new ContentError('unsupported', `The file is not clean ${name} text and cannot be edited without loss`);
  }
  return { text, encode: (edited) => Buffer.concat([bytes.subarray(0, skipBytes), encoder(edited)]) };
}

function encoderFor(name: string): (text: string) => Buffer {
  if (name === 'utf-8') return (text) => Buffer.from(text, 'utf8');
  if (name === 'utf-16le') return (text) => Buffer.from(text, 'utf16le');
  if (name === 'utf-16be') return (text) => Buffer.from(text, 'utf16le').swap16();
  if (name.startsWith('utf-32')) return utf32Encoder(name === 'utf-32le');
  return tableEncoder(name);
}

function utf32Encoder(littleEndian: boolean): (text: string) => Buffer {
  return (text) => {
    const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
    const buffer = Buffer.alloc(codes.length * 4);
    codes.forEach((code, index) => {
      if (littleEndian) buffer.writeUInt32LE(code, index * 4);
      else buffer.writeUInt32BE(code, index * 4);
    });
    return buffer;
  };
}

/** Inverts the decoder: decodes every sequence of one and two bytes once. */
function tableEncoder(name: string): (text: string) => Buffer {
  const table = new Map<string, Buffer>();
  const add = (bytes: number[]): boolean => {
    const decoder = textDecoder(name);
    const character = decoder.decode(Uint8Array.from(bytes)) + decoder.end();
    const whole = character !== '' && !character.includes('\ufffd') && Array.from(character).length === 1;
    if (whole && !table.has(character)) table.set(character, Buffer.from(bytes));
    return whole;
  };
  const leading: number[] = [];
  for (let byte = 0; byte < 256; byte += 1) if (!add([byte])) leading.push(byte);
  for (const first of leading) for (let second = 0x30; second < 256; second += 1) add([first, second]);
  return (text) =>
    Buffer.concat(
      Array.from(text, (character) => {
        const bytes = table.get(character);
        if (bytes === undefined) {
          throw new ContentError('unsupported', `The character ${character} cannot be written in ${name}`);
        }
        return bytes;
      }),
    );
}
