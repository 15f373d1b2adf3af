/** Finds the string values of JSON and JSON lines. Member names, numbers and layout stay unchanged. */
import { ContentError } from '@quire/blocks/content-error';
import { jsonSequence } from '@quire/parse/formats/json/json-tokens';
import type { SplitText } from '../replace/split-text.ts';

const STRING = /"(?:[^"\\]|\\.)*"(\s*:)?/gs;

export function jsonTexts(source: string): SplitText[] {
  // Throws `corrupt` with the position of the error, so that every string literal is complete afterwards.
  for (const value of jsonSequence(source)) void value;
  const texts: SplitText[] = [];
  for (const found of source.matchAll(STRING)) {
    if (found[1] !== undefined) continue;
    const start = found.index;
    const end = start + found[0].length;
    const ascii = /\\u[0-9a-f]{4}/i.test(found[0]);
    texts.push({ pieces: [{ start, end, text: decode(found[0]), encode: (text) => encodeString(text, ascii) }] });
  }
  return texts;
}

function decode(literal: string): string {
  try {
    const text: unknown = JSON.parse(literal);
    return typeof text === 'string' ? text : '';
  } catch (error) {
    throw new ContentError('corrupt', 'The file is not valid JSON', { cause: error });
  }
}

function encodeString(text: string, ascii: boolean): { source: string } {
  const literal = JSON.stringify(text);
  const escape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return { source: ascii ? literal.replace(/[\u0080-\uffff]/g, escape) : literal };
}
