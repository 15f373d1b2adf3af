/** Finds the matches of an operation in a text, with their replacements. */
import type { RE2JS } from 're2js';
import type { Operation } from '../operations.ts';
import { foldCase, occurrences } from './occurrences.ts';
import type { OutputBudget } from './output-budget.ts';
import { requirePattern } from './pattern.ts';

/** `[start, end)` in UTF-16 code units of the text. Matches are ordered and do not overlap. */
export interface Match {
  start: number;
  end: number;
  replacement: string;
}

export type MatchFinder = (text: string) => Match[];

type Replacing = Extract<Operation, { type: 'replaceText' | 'replacePattern' }>;

/** Returns the finder of an operation; it counts the replacements in the budget before they are built. */
export function matchFinder(operation: Replacing, budget: OutputBudget): MatchFinder {
  if (operation.type === 'replacePattern') {
    const pattern = requirePattern(operation.pattern, operation.ignoreCase);
    const parts = readTemplate(operation.replace, pattern);
    return (text) => patternMatches(text, pattern, parts, budget);
  }
  const { find, replace, ignoreCase, wholeWord } = operation;
  const fold = ignoreCase ? foldCase : (text: string): string => text;
  const wanted = fold(find);
  return (text) => {
    const matches: Match[] = [];
    for (const start of occurrences(fold(text), wanted)) {
      const end = start + wanted.length;
      if (wholeWord && !isWholeWord(text, start, end)) continue;
      budget.insert(replace.length);
      matches.push({ start, end, replacement: replace });
    }
    return matches;
  };
}

const WORD_BEFORE = /[\p{L}\p{M}\p{N}_]$/u;
const WORD_AFTER = /^[\p{L}\p{M}\p{N}_]/u;

export const isWholeWord = (text: string, start: number, end: number): boolean =>
  !WORD_BEFORE.test(text.slice(Math.max(0, start - 2), start)) && !WORD_AFTER.test(text.slice(end, end + 2));

/** A literal part of a replacement, or the group that it inserts. */
type TemplatePart = { text: string } | { group: number | string };

function patternMatches(text: string, pattern: RE2JS, parts: readonly TemplatePart[], budget: OutputBudget): Match[] {
  const matches: Match[] = [];
  const matcher = pattern.matcher(text);
  while (matcher.find()) {
    // An empty match (`x*`) has nothing to replace.
    if (matcher.end() === matcher.start()) continue;
    const pieces = parts.map((part) => ('text' in part ? part.text : (matcher.group(part.group) ?? '')));
    budget.insert(pieces.reduce((sum, { length }) => sum + length, 0));
    matches.push({ start: matcher.start(), end: matcher.end(), replacement: pieces.join('') });
  }
  return matches;
}

const REFERENCE = /\$(?:\$|(\d{1,2})|\{(\w+)\})/g;

/** Reads a replacement with group references. A reference to a group that the pattern lacks is kept as written. */
function readTemplate(replacement: string, pattern: RE2JS): TemplatePart[] {
  const groups = pattern.namedGroups();
  const hasGroup = (number: string): boolean => Number(number) <= pattern.groupCount();
  const partOf = (written: string, number: string | undefined, name: string | undefined): TemplatePart => {
    if (written === '$$') return { text: '$' };
    const digits = number ?? (name !== undefined && /^\d+$/.test(name) ? name : undefined);
    if (digits !== undefined) return hasGroup(digits) ? { group: Number(digits) } : { text: written };
    return name !== undefined && name in groups ? { group: name } : { text: written };
  };
  const parts: TemplatePart[] = [];
  let position = 0;
  for (const found of replacement.matchAll(REFERENCE)) {
    parts.push({ text: replacement.slice(position, found.index) }, partOf(found[0], found[1], found[2]));
    position = found.index + found[0].length;
  }
  parts.push({ text: replacement.slice(position) });
  return parts;
}
