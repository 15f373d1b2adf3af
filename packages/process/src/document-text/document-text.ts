/**
 * Cuts a block tree into the parts that a model reads: one Markdown text for each block outside of sections, in reading
 * order, with its pages. A reading begins at a part and ends where its token budget does.
 */
import type { Block, DocumentTree } from '@quire/blocks/block';
import { toMarkdown } from '@quire/blocks/to-markdown';
import { walkBlocks } from '@quire/blocks/walk';
import { beginningWithin, countJson } from './token-budget.ts';

export interface TextPart {
  block: Block;
  /** First and last page; null for formats without pages. */
  pages: [number, number] | null;
}

/** A place in the parts: `offset` counts UTF-16 units of the part's Markdown. */
export interface TextPosition {
  part: number;
  offset: number;
}

export interface TextRange {
  from: TextPosition;
  /** Index of the first part after the range. */
  end: number;
}

export interface Reading {
  text: string;
  pages: [number, number] | null;
  /** Where the next reading begins; null at the end of the range. */
  next: TextPosition | null;
}

export interface OutlineEntry {
  /** Identifier of the heading's block, which `section` takes. */
  section: string;
  title: string;
  level: number;
  page: number | null;
}

export function textParts(tree: DocumentTree): TextPart[] {
  return [...leaves(tree.blocks)].map((block) => ({ block, pages: pagesOf(block) }));
}

/** Yields the blocks that are not sections; not recursive, because sections may nest deeply. */
function* leaves(blocks: readonly Block[]): Generator<Block> {
  const stack = blocks.toReversed();
  for (let block = stack.pop(); block !== undefined; block = stack.pop()) {
    if (block.type === 'section') stack.push(...(block.children ?? []).toReversed());
    else yield block;
  }
}

function pagesOf(block: Block): [number, number] | null {
  let first = Infinity;
  let last = -Infinity;
  for (const each of walkBlocks([block])) {
    const cells = each.rows?.flat() ?? [];
    for (const page of [each.page, ...(each.lines ?? []).map((line) => line.page), ...cells.map((cell) => cell.page)]) {
      if (page === undefined) continue;
      first = Math.min(first, page);
      last = Math.max(last, page);
    }
  }
  return first === Infinity ? null : [first, last];
}

export const wholeRange = (parts: readonly TextPart[]): TextRange => ({
  from: { part: 0, offset: 0 },
  end: parts.length,
});

/** Returns the parts from a heading up to the next heading of its level or above; undefined without such a heading. */
export function sectionRange(parts: readonly TextPart[], section: string): TextRange | undefined {
  const title = section.trim().toLowerCase();
  const isHeading = ({ block }: TextPart): boolean => block.type === 'heading';
  const byId = parts.findIndex((part) => isHeading(part) && part.block.id === section);
  const part =
    byId >= 0 ? byId : parts.findIndex((each) => isHeading(each) && each.block.text?.trim().toLowerCase() === title);
  if (part < 0) return undefined;
  const level = parts[part]?.block.level ?? 1;
  const after = parts.findIndex((each, at) => at > part && isHeading(each) && (each.block.level ?? 1) <= level);
  return { from: { part, offset: 0 }, end: after < 0 ? parts.length : after };
}

/** Returns the parts with text on a page; undefined if no part has any. */
export function pageRange(parts: readonly TextPart[], page: number): TextRange | undefined {
  const isOnPage = ({ pages }: TextPart): boolean => pages !== null && pages[0] <= page && page <= pages[1];
  const part = parts.findIndex(isOnPage);
  return part < 0 ? undefined : { from: { part, offset: 0 }, end: parts.findLastIndex(isOnPage) + 1 };
}

/** Returns the position of the part that holds one of the blocks; undefined if none does. */
export function positionOf(parts: readonly TextPart[], blockIds: readonly string[]): TextPosition | undefined {
  const wanted = new Set(blockIds);
  const part = parts.findIndex(({ block }) => [...walkBlocks([block])].some(({ id }) => wanted.has(id)));
  return part < 0 ? undefined : { part, offset: 0 };
}

const BETWEEN = '\n\n';
const BETWEEN_TOKENS = countJson(BETWEEN);
/** Tokens that a reading takes at least, so that a series of readings ends. */
const MIN_READING = 50;

/**
 * Reads from the beginning of the range as many parts as `tokens` allow; a part that is too long is cut. The texts of a
 * series of readings can be concatenated.
 */
export function read(parts: readonly TextPart[], { from, end }: TextRange, tokens: number): Reading {
  const texts: string[] = [];
  let pages: [number, number] | null = null;
  // The text may end with the blank line before the next part.
  let left = Math.max(tokens, MIN_READING) - BETWEEN_TOKENS;
  for (let index = from.part; index < end; index += 1) {
    const part = parts[index];
    if (part === undefined) break;
    const offset = index === from.part ? from.offset : 0;
    const markdown = markdownOf(part.block).slice(offset);
    const room = texts.length === 0 ? left : left - BETWEEN_TOKENS;
    const kept = countJson(markdown) <= room ? markdown : cut(markdown, room, texts.length === 0);
    if (kept !== '') {
      texts.push(kept);
      pages = joined(pages, part.pages);
      left = room - countJson(kept);
    }
    if (kept.length < markdown.length) {
      const text = texts.join(BETWEEN) + (kept === '' ? BETWEEN : '');
      return { text, pages, next: { part: index, offset: offset + kept.length } };
    }
  }
  return { text: texts.join(BETWEEN), pages, next: null };
}

/** A part is cut only if it is the first, or if much of it fits; otherwise the next reading begins with it. */
const MIN_SHARE = 0.25;

function cut(markdown: string, tokens: number, isFirst: boolean): string {
  const kept = beginningWithin(markdown, tokens);
  return isFirst || kept.length > markdown.length * MIN_SHARE ? kept : '';
}

const markdownOf = (block: Block): string =>
  toMarkdown({ version: 1, title: null, language: null, pageCount: null, warnings: [], blocks: [block] }).trimEnd();

function joined(one: [number, number] | null, two: [number, number] | null): [number, number] | null {
  if (one === null || two === null) return one ?? two;
  return [Math.min(one[0], two[0]), Math.max(one[1], two[1])];
}

export function outlineOf(parts: readonly TextPart[]): OutlineEntry[] {
  return parts.flatMap(({ block, pages }) =>
    block.type === 'heading' && block.text !== undefined
      ? [{ section: block.id, title: block.text, level: block.level ?? 1, page: pages?.[0] ?? null }]
      : [],
  );
}
