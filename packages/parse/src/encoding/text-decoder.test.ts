import { expect, it } from 'vitest';
import { decodeBytes } from '../legacy/compound/code-pages.ts';
import { decodeXml } from '../office/xml/decode-xml.ts';
import { textDecoder } from './text-decoder.ts';

const QUOTES = Buffer.from('\x93don\x92t\x94 \x97 \x80 \xe9', 'latin1');
const READ = '“don’t” — € é';

it('reads the punctuation of windows-1252, whole and in pieces', () => {
  const decoder = textDecoder('windows-1252');
  expect(decoder.decode(QUOTES.subarray(0, 3)) + decoder.decode(QUOTES.subarray(3)) + decoder.end()).toBe(READ);
});

it('reads windows-1252 in Word binary files and in XML that declares it', () => {
  expect(decodeBytes(QUOTES, 'windows-1252')).toBe(READ);
  const head = Buffer.from('<?xml version="1.0" encoding="windows-1252"?><a>');
  expect([...decodeXml([Buffer.concat([head, QUOTES])])].join('')).toBe(`${head.toString()}${READ}`);
});

it('reads UTF-32 characters that are split between pieces', () => {
  const decoder = textDecoder('utf-32le');
  const bytes = Uint8Array.of(0x41, 0, 0, 0, 0x00, 0xf6, 1, 0, 0x42);
  expect([decoder.decode(bytes.subarray(0, 6)), decoder.decode(bytes.subarray(6)), decoder.end()]).toEqual([
    'A',
    '\u{1f600}',
    '\ufffd',
  ]);
});
