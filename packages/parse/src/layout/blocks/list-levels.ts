/**
 * Sets the levels of consecutive list items from their indentation and decides which numbers are list numbers. An
 * isolated number, a letter or a roman numeral stays in the text, because the block tree only has lists numbered 1, 2,
 * 3.
 */
import type { BlockDraft } from '@quire/blocks/block';
import { shiftLines } from '@quire/blocks/text-lines';
import { listMarker } from '../lines/list-marker.ts';

export interface ListCandidate {
  block: BlockDraft;
  /** Left edge of the marker, in points; in right-to-left text the negative right edge. */
  x0: number;
  size: number;
  /** Text including the marker; empty for an item without a marker. */
  text: string;
}

/** Indentation, in font sizes, that starts a deeper level, and horizontal jump that indicates a new column. */
const INDENT = 0.8;
const COLUMN_JUMP = 14;

/** Sets the level and number of each item of one run, in place. */
export function numberListItems(run: readonly ListCandidate[]): void {
  const levels = levelsOf(run);
  const numbers = run.map((item) => (/^\(?\d/.test(item.text) ? (listMarker(item.text)?.number ?? 0) : 0));
  run.forEach((item, index) => {
    const { block } = item;
    block.level = levels[index] ?? 1;
    const [before, after] = [sibling(levels, index, -1), sibling(levels, index, 1)];
    const number = numbers[index] ?? 0;
    const continuesNumbering = before !== undefined && numbers[before] === number - 1 && number > 1;
    const leads = after !== undefined && numbers[after] === number + 1;
    delete block.start;
    if (number > 0 && (continuesNumbering || leads)) {
      block.ordered = true;
      if (!continuesNumbering && number !== 1) block.start = number;
      return;
    }
    const marker = listMarker(item.text);
    block.ordered = false;
    if (marker?.ordered === true) restoreMarker(block, item.text, marker.length);
    if (number > 0 && run.length === 1) block.type = 'paragraph';
  });
}

function levelsOf(run: readonly ListCandidate[]): number[] {
  let stack: { x0: number; kind: string }[] = [];
  let last: ListCandidate | undefined;
  return run.map((item) => {
    const kind = kindOf(item.text);
    if (last !== undefined && Math.abs(item.x0 - last.x0) > COLUMN_JUMP * item.size) {
      const alike = stack.find((level) => level.kind === kind) ?? stack.at(-1);
      const shift = item.x0 - (alike?.x0 ?? item.x0);
      stack = stack.map((level) => ({ ...level, x0: level.x0 + shift }));
    }
    while (stack.length > 0 && (stack.at(-1)?.x0 ?? 0) > item.x0 + INDENT * item.size) stack.pop();
    const top = stack.at(-1);
    if (top === undefined || item.x0 > top.x0 + INDENT * item.size) stack.push({ x0: item.x0, kind });
    last = item;
    return stack.length;
  });
}

/** Returns `number`, `letter` or the bullet character. */
const kindOf = (text: string): string =>
  /^\(?\d/.test(text) ? 'number' : /^\(?\p{L}/u.test(text) ? 'letter' : text.charAt(0);

/** Returns the nearest item of the same level in a direction, before an item of a higher level. */
function sibling(levels: readonly number[], index: number, step: 1 | -1): number | undefined {
  const own = levels[index] ?? 1;
  for (let at = index + step; at >= 0 && at < levels.length; at += step) {
    const level = levels[at] ?? 1;
    if (level === own) return at;
    if (level < own) return undefined;
  }
  return undefined;
}

function restoreMarker(block: BlockDraft, text: string, length: number): void {
  block.text = text.slice(0, length) + (block.text ?? '');
  if (block.links !== undefined) {
    block.links = block.links.map((link) => ({ ...link, start: link.start + length, end: link.end + length }));
  }
  if (block.lines !== undefined)
    block.lines = shiftLines(block.lines, length).map((line, index) => (index === 0 ? { ...line, start: 0 } : line));
}
