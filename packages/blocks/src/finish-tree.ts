/**
 * Turns a parser's result into the stored tree: normalises texts, drops empty blocks, gathers loose list items into
 * lists, nests headings into sections (the heading is the first child), and numbers the blocks `b1`, `b2`, … in reading
 * order. Pure; never throws.
 */
import type { Block, BlockContent, BlockDraft, DocumentTree, ParsedContent, TableCell, TextMark } from './block.ts';
import { MARK_KINDS } from './block.ts';
import { contentWarning, mergeWarnings } from './content-warning.ts';
import { gatherListItems } from './gather-list-items.ts';
import { moveRanges, normaliseText, normaliseVerbatim } from './normalise-text.ts';
import { withScriptCharacters } from './script-characters.ts';
import { boundSpans } from './table-spans.ts';
import { walkBlocks } from './walk.ts';

/**
 * Maximum nesting; deeper blocks are flattened, because consumers recurse and no real document nests 40 lists or
 * quotes.
 */
const MAX_DEPTH = 40;
/** The limit of the HTML standard. */
const MAX_COLUMN_SPAN = 1000;

/** `language` is the detected BCP 47 language, null if detection failed; then the declared language applies. */
export function finishTree(parsed: ParsedContent, language: string | null): DocumentTree {
  const title = parsed.title === null ? '' : normaliseText(parsed.title).text.replaceAll('\n', ' ');
  const blocks = nestSections(gatherListItems(openSections(cleanBlocks(parsed.blocks, 1))));
  const warnings = boundTables(blocks) ? [...parsed.warnings, SPANS_REDUCED] : parsed.warnings;
  return {
    version: 1,
    title: title === '' ? null : title,
    language: language ?? parsed.language ?? null,
    pageCount: parsed.pageCount,
    warnings: mergeWarnings(warnings),
    blocks: numberBlocks(blocks),
  };
}

const SPANS_REDUCED = contentWarning(
  'simplified',
  'Cells of a table span far more rows or columns than it has: their spans were reduced',
);

/** Reduces spans that need far more grid positions than the table has cells; returns whether there were any. */
function boundTables(blocks: readonly BlockDraft[]): boolean {
  let reduced = false;
  for (const block of walkBlocks(blocks)) {
    if (block.rows === undefined) continue;
    const rows = boundSpans(block.rows);
    reduced ||= rows !== block.rows;
    block.rows = rows;
  }
  return reduced;
}

function cleanBlocks(drafts: readonly BlockDraft[], depth: number): BlockDraft[] {
  const cleaned: BlockDraft[] = [];
  for (const draft of drafts) {
    const children = draft.children ?? [];
    const flat = depth >= MAX_DEPTH && children.length > 0;
    const kept = flat ? [] : cleanChildren(draft, depth);
    const block = cleanContent(draft, kept);
    if (!isEmpty(block)) cleaned.push(block);
    if (!flat) continue;
    for (const deeper of cleanBlocks(Array.from(walkBlocks(children), withoutChildren), depth)) cleaned.push(deeper);
  }
  return cleaned;
}

function cleanChildren(draft: BlockDraft, depth: number): BlockDraft[] {
  const children = cleanBlocks(draft.children ?? [], depth + 1);
  if (draft.type === 'list') return listChildren(children);
  return draft.type === 'section' ? children : gatherListItems(children);
}

function withoutChildren(draft: BlockDraft): BlockDraft {
  const { children: _children, ...content } = draft;
  return content;
}

/** Ensures that a list holds only items; any other block in it moves into the item before. */
function listChildren(children: readonly BlockDraft[]): BlockDraft[] {
  const items: BlockDraft[] = [];
  for (const child of children) {
    const last = items.at(-1);
    if (child.type === 'listItem') items.push(child);
    else if (last === undefined) items.push({ type: 'listItem', children: [child] });
    else (last.children ??= []).push(child);
  }
  return items;
}

function cleanContent(draft: BlockDraft, children: BlockDraft[]): BlockDraft {
  const { children: _children, text, links, lines, marks, rows, level, ...rest } = draft;
  const block: BlockDraft = rest;
  if (draft.type === 'heading') block.level = clamp(level ?? 1, 1, 6);
  else if (level !== undefined) block.level = clamp(level, 1, MAX_DEPTH);
  if (draft.type === 'code' || draft.type === 'formula') {
    if (text !== undefined) block.text = normaliseVerbatim(text);
  } else if (text !== undefined) {
    const clean = normaliseText(text, links);
    const marked = withMarks(text, clean.text, marks);
    block.text = draft.type === 'heading' ? marked.text.replaceAll('\n', ' ') : marked.text;
    if (clean.links.length > 0) block.links = clean.links;
    if (marked.marks.length > 0) block.marks = marked.marks;
  }
  if (lines !== undefined && text !== undefined && block.text !== undefined) {
    const moved = moveRanges(text, block.text, lines);
    if (moved.length > 0) block.lines = moved;
  }
  if (rows !== undefined) block.rows = cleanRows(rows);
  if (children.length > 0) block.children = children;
  return block;
}

/** Moves the marks of `text` to its normalised form `clean`, in which raised and lowered digits become characters. */
function withMarks(text: string, clean: string, marks: readonly TextMark[] = []): { text: string; marks: TextMark[] } {
  if (marks.length === 0) return { text: clean, marks: [] };
  const moved = MARK_KINDS.flatMap((kind) => {
    const own = marks.filter((mark) => mark.kind === kind && mark.end > mark.start);
    return moveRanges(text, clean, joinedMarks(own.toSorted((a, b) => a.start - b.start)));
  });
  const ordered = moved.toSorted((a, b) => a.start - b.start || b.end - a.end);
  return { text: withScriptCharacters(clean, ordered), marks: ordered };
}

/** Joins marks of one kind that touch or overlap: formats split a mark where another style changes. */
function joinedMarks(marks: readonly TextMark[]): TextMark[] {
  const whole: TextMark[] = [];
  for (const mark of marks) {
    const last = whole.at(-1);
    if (last !== undefined && mark.start <= last.end) last.end = Math.max(last.end, mark.end);
    else whole.push({ ...mark });
  }
  return whole;
}

function cleanRows(rows: readonly (readonly TableCell[])[]): TableCell[][] {
  const cleaned = rows.map((row, index) =>
    row.map((cell) => {
      const { text: plain, links } = normaliseText(cell.text, cell.links);
      const { text, marks } = withMarks(cell.text, plain, cell.marks);
      const cleanCell: TableCell = {
        text,
        rowSpan: clamp(cell.rowSpan, 1, rows.length - index),
        colSpan: clamp(cell.colSpan, 1, MAX_COLUMN_SPAN),
        header: cell.header,
        ...(cell.page === undefined ? {} : { page: cell.page }),
        ...(cell.box === undefined ? {} : { box: cell.box }),
        ...(cell.lines === undefined ? {} : { lines: moveRanges(cell.text, text, cell.lines) }),
        ...(marks.length === 0 ? {} : { marks }),
      };
      return links.length > 0 ? { ...cleanCell, links } : cleanCell;
    }),
  );
  // A row without text is kept if a cell above spans into it.
  const spanned = cleaned.some((row) => row.some((cell) => cell.rowSpan > 1));
  return spanned ? cleaned : cleaned.filter((row) => row.some((cell) => cell.text !== ''));
}

function clamp(value: number, low: number, high: number): number {
  return Number.isNaN(value) ? low : Math.min(high, Math.max(low, Math.round(value)));
}

/** Figures with a position and page breaks are kept without text; other blocks need text or children. */
function isEmpty(block: BlockDraft): boolean {
  if (block.type === 'pageBreak' || block.children !== undefined) return false;
  if (block.type === 'figure' && block.bbox !== undefined) return false;
  if (block.text !== undefined && block.text !== '') return false;
  return !(block.rows ?? []).some((row) => row.some((cell) => cell.text !== ''));
}

/** Dissolves sections made by a parser, so that all headings are nested by one rule. */
function openSections(blocks: readonly BlockDraft[]): BlockDraft[] {
  return blocks.flatMap((block) => (block.type === 'section' ? openSections(block.children ?? []) : [block]));
}

function nestSections(blocks: readonly BlockDraft[]): BlockDraft[] {
  const top: BlockDraft[] = [];
  const open: { level: number; children: BlockDraft[] }[] = [];
  for (const block of blocks) {
    if (block.type === 'heading') {
      const level = block.level ?? 1;
      while ((open.at(-1)?.level ?? 0) >= level) open.pop();
      const section = { type: 'section' as const, ...place(block), children: [block] };
      (open.at(-1)?.children ?? top).push(section);
      open.push({ level, children: section.children });
    } else {
      (open.at(-1)?.children ?? top).push(block);
    }
  }
  return top;
}

function place(block: BlockContent): { page?: number } {
  return block.page === undefined ? {} : { page: block.page };
}

function numberBlocks(drafts: readonly BlockDraft[]): Block[] {
  let count = 0;
  const number = (draft: BlockDraft): Block => {
    count += 1;
    const { children, ...content } = draft;
    const block: Block = { id: `b${count}`, ...content };
    if (children !== undefined) block.children = children.map(number);
    return block;
  };
  return drafts.map(number);
}
