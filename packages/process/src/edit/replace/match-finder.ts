/** Finds the matches of an operation in a text, with their replacements. */
import { RE2JS } from 're2js';
import type { Operation } from '../operations.ts';
import { requirePattern } from './pattern.ts';

/** `[start, end)` in UTF-16 code units of the text. Matches are ordered and do not overlap. */
export interface Match {
  start: number;
  end: number;
  replacement: string;
}

export type MatchFinder = (text: string) => Match[];

type Replacing = Extract<Operation, { type: 'replaceText' | 'replacePattern' }>;

export function matchFinder(operation: Replacing): MatchFinder {
  if (operation.type === 'replacePattern') {
    const pattern = requirePattern(operation.pattern, operation.ignoreCase);
    return (text) => patternMatches(text, pattern, operation.replace);
  }
  const { find, replace, ignoreCase, wholeWord } = operation;
  const places = ignoreCase ? foldedPlaces(find) : exactPlaces(find);
  return (text) =>
    places(text)
      .filter(([start, end]) => !wholeWord || isWholeWord(text, start, end))
      .map(([start, end]) => ({ start, end, replacement: replace }));
}

type Places = (text: string) => [start: number, end: number][];

function exactPlaces(find: string): Places {
  return (text) => {
    const places: [number, number][] = [];
    for (let at = text.indexOf(find); at >= 0; at = text.indexOf(find, at + find.length)) {
      places.push([at, at + find.length]);
    }
    return places;
  };
}

function foldedPlaces(find: string): Places {
  const pattern = RE2JS.compile(RE2JS.quote(find), RE2JS.CASE_INSENSITIVE);
  return (text) => {
    const places: [number, number][] = [];
    const matcher = pattern.matcher(text);
    while (matcher.find()) places.push([matcher.start(), matcher.end()]);
    return places;
  };
}

const WORD_BEFORE = /[\p{L}\p{M}\p{N}_]$/u;
const WORD_AFTER = /^[\p{L}\p{M}\p{N}_]/u;

export const isWholeWord = (text: string, start: number, end: number): boolean =>
  !WORD_BEFORE.test(text.slice(Math.max(0, start - 2), start)) && !WORD_AFTER.test(text.slice(end, end + 2));

function patternMatches(text: string, pattern: RE2JS, replacement: string): Match[] {
  const matches: Match[] = [];
  const matcher = pattern.matcher(text);
  while (matcher.find()) {
    // An empty match (`x*`) has nothing to replace.
    if (matcher.end() === matcher.start()) continue;
    const group = (key: number | string): string => matcher.group(key) ?? '';
    matches.push({ start: matcher.start(), end: matcher.end(), replacement: expand(replacement, pattern, group) });
  }
  return matches;
}

const REFERENCE = /\$(?:\$|(\d{1,2})|\{(\w+)\})/g;

/** Expands group references. A reference to a group that the pattern lacks is kept as written. */
function expand(replacement: string, pattern: RE2JS, group: (key: number | string) => string): string {
  return replacement.replace(REFERENCE, (written, number?: string, name?: string) => {
    if (written === '$$') return '$';
    if (number !== undefined) return Number(number) <= pattern.groupCount() ? group(Number(number)) : written;
    if (name === undefined) return written;
    if (/^\d+$/.test(name)) return Number(name) <= pattern.groupCount() ? group(Number(name)) : written;
    return name in pattern.namedGroups() ? group(name) : written;
  });
}
