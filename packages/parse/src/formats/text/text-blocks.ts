import type { BlockDraft } from '@quire/blocks/block';
import { standaloneHeading, underlinedHeading } from './text-headings.ts';

const BULLET = /^(\s*)([-*+•‣◦▪–·])\s+(?=\S)/;
const NUMBER = /^(\s*)(\d{1,3})[.)]\s+(?=\S)/;
/** Matches columns aligned with spaces or tabs, or drawn with lines. */
const ALIGNED = /\S(?: {3,}|\t+)\S|[│┃║├┼╠═─]{2}|^\s*[|+][-=+| ].*[|+]\s*$/;

/** Returns the blocks of one group of lines; `next` is the group after it. */
export function groupBlocks(group: readonly string[], next: readonly string[] | undefined): BlockDraft[] {
  const [first = '', ...rest] = group;
  const underlined = underlinedHeading(first, group[1]);
  if (underlined !== undefined) {
    const below = group.slice(2);
    const heading: BlockDraft = { type: 'heading', ...underlined };
    return below.length === 0 ? [heading] : [heading, ...groupBlocks(below, next)];
  }
  const standalone = rest.length === 0 ? standaloneHeading(first, next) : undefined;
  if (standalone !== undefined) return [{ type: 'heading', ...standalone }];
  const items = listItems(group);
  if (items !== undefined) return items;
  if (isLaidOut(group)) return [{ type: 'code', text: group.join('\n') }];
  return [{ type: 'paragraph', text: joinLines(group) }];
}

/** Returns whether more than half of the lines, and at least two, are aligned in columns. */
function isLaidOut(group: readonly string[]): boolean {
  const aligned = group.filter((line) => ALIGNED.test(line.slice(0, 2000))).length;
  return aligned >= 2 && aligned * 2 > group.length;
}

/** Returns list items if the group begins with one and every further line is an item or is indented below one. */
function listItems(group: readonly string[]): BlockDraft[] | undefined {
  const items: { indent: number; block: BlockDraft; lines: string[] }[] = [];
  for (const line of group) {
    const bullet = BULLET.exec(line);
    const number = bullet === null ? NUMBER.exec(line) : null;
    const mark = bullet ?? number;
    const last = items.at(-1);
    if (mark !== null) {
      const block: BlockDraft = { type: 'listItem', ordered: number !== null };
      const value = Number(number?.[2] ?? 1);
      if (number !== null && last?.block.ordered !== true && value !== 1) block.start = value;
      items.push({ indent: width(mark[1] ?? ''), block, lines: [line.slice(mark[0].length)] });
    } else if (last === undefined || !/^\s/.test(line)) {
      return undefined;
    } else {
      last.lines.push(line.trim());
    }
  }
  const bullets = items.filter((item) => item.block.ordered === false).length;
  if (items.length < 2 && bullets === 0) return undefined;
  const indents = [...new Set(items.map((item) => item.indent))].toSorted((a, b) => a - b);
  return items.map(({ indent, block, lines }) => ({
    ...block,
    level: indents.indexOf(indent) + 1,
    text: unwrap(lines),
  }));
}

function width(space: string): number {
  return space.replaceAll('\t', '    ').length;
}

/** Joins lines that were wrapped to a width; keeps other lines (verse, addresses). */
function joinLines(lines: readonly string[]): string {
  const trimmed = lines.map((line) => line.trim());
  const lengths = trimmed.slice(0, -1).map((line) => line.length);
  const longest = Math.max(...lengths.slice(0, 2000), trimmed.at(-1)?.length ?? 0);
  const wrapped = longest >= 40 && lengths.every((length) => length >= longest * 0.6);
  return wrapped ? unwrap(trimmed) : trimmed.join('\n');
}

function unwrap(lines: readonly string[]): string {
  return lines.reduce((text, line) => text + (isUnspaced(text.at(-1)) && isUnspaced(line.at(0)) ? '' : ' ') + line);
}

/** Returns whether the character's script has no spaces between words. */
function isUnspaced(character: string | undefined): boolean {
  return character !== undefined && /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u0e00-\u0eff]/.test(character);
}
