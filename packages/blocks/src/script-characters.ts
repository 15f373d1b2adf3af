/** Superscript and subscript characters of Unicode, for digits and signs, so that 10⁶ never becomes 106. */
import type { MarkKind, TextMark } from './block.ts';

const RAISED = new Map(Object.entries({ '+': '⁺', '-': '⁻', '−': '⁻', '=': '⁼', '(': '⁽', ')': '⁾', n: 'ⁿ', i: 'ⁱ' }));
const LOWERED = new Map(Object.entries({ '+': '₊', '-': '₋', '−': '₋', '=': '₌', '(': '₍', ')': '₎' }));
Array.from('⁰¹²³⁴⁵⁶⁷⁸⁹').forEach((digit, value) => RAISED.set(String(value), digit));
Array.from('₀₁₂₃₄₅₆₇₈₉').forEach((digit, value) => LOWERED.set(String(value), digit));

const TABLES: Readonly<Partial<Record<MarkKind, ReadonlyMap<string, string>>>> = { raised: RAISED, lowered: LOWERED };
const PLAIN = new Map([...RAISED, ...LOWERED].map(([plain, script]) => [script, plain === '−' ? '-' : plain]));

/**
 * Returns the text with raised and lowered parts as superscript and subscript characters, where all characters of the
 * part have them. The length does not change. Marks are ordered by start; of overlapping ones the first counts.
 */
export function withScriptCharacters(text: string, marks: readonly TextMark[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, kind } of marks) {
    const table = TABLES[kind];
    if (table === undefined || start < from) continue;
    const part = text.slice(start, end);
    parts.push(text.slice(from, start), scriptOf(part, table) ?? part);
    from = end;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(from);
}

function scriptOf(part: string, table: ReadonlyMap<string, string>): string | undefined {
  const mapped = Array.from(part, (character) => (/\s/.test(character) ? character : table.get(character)));
  return mapped.includes(undefined) ? undefined : mapped.join('');
}

/** Returns the plain characters of superscript and subscript ones, for notations that raise the text themselves. */
export const plainScript = (text: string): string =>
  Array.from(text, (character) => PLAIN.get(character) ?? character).join('');

/** Returns whether the text consists of superscript and subscript characters, which need no notation. */
export const isScript = (text: string): boolean => Array.from(text).every((it) => PLAIN.has(it) || /\s/.test(it));
