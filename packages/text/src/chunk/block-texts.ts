import type { Block } from '@quire/blocks/block';
import { shiftLines } from '@quire/blocks/text-lines';
import type { Place } from './boxes.ts';
import type { BlockText, BlockTextContext, Piece } from './block-text.ts';
import { splitText } from './split-text.ts';
import { tableText } from './table-text.ts';
import { sliceSpans, type TextSpan } from './text-spans.ts';

/** Returns the texts of a block that is not a section, in reading order. `page` is the page of the containing block. */
export function blockTexts(block: Block, context: BlockTextContext, page?: number): BlockText[] {
  if (block.type === 'pageBreak') return [];
  if (block.type === 'list') return listTexts(block, context, 0, block.page ?? page);
  const texts: BlockText[] = [];
  if (block.rows !== undefined && block.rows.length > 0) {
    const { whole, divide, tokens } = tableText(block, block.rows, context, page);
    texts.push({
      ...origin(block, page),
      isProse: false,
      tokens,
      whole: whole && ofBlock(block, whole),
      divide: () => divide().map((piece) => ofBlock(block, piece)),
    });
  }
  const text = block.text ?? '';
  if (text !== '') texts.push(proseText(block, text, context, page));
  return texts.concat(childBlockTexts(block, context, page));
}

/** Returns the piece of a table, as a part of its block if the table has no position. */
function ofBlock({ id }: Block, piece: Piece): Piece {
  if (piece.lines.length > 0) return piece;
  return { ...piece, lines: [{ start: 0, end: piece.text.length, blockId: id, offset: null }] };
}

function childBlockTexts(block: Block, context: BlockTextContext, page: number | undefined): BlockText[] {
  return (block.children ?? []).flatMap((child) => blockTexts(child, context, block.page ?? page));
}

function origin(block: Block, page: number | undefined): { blockIds: string[]; places: Place[] } {
  const own = block.page ?? page;
  return { blockIds: [block.id], places: own === undefined ? [] : [{ page: own, bbox: block.bbox }] };
}

function proseText(block: Block, text: string, context: BlockTextContext, page: number | undefined): BlockText {
  const { counter, maxTokens } = context;
  const tokens = counter.count(text);
  const isCode = block.type === 'code';
  const lines = linesOf(block, text, page);
  return {
    ...origin(block, page),
    tokens,
    isProse: !isCode && block.type !== 'formula',
    whole: tokens <= maxTokens ? { text, tokens, joiner: '', lines } : undefined,
    divide: () => (isCode ? linePieces(text, lines, context) : prosePieces(text, lines, context)),
  };
}

/** Returns the spans of a text that ends with the block's text; a block without a line map counts as a single line. */
function linesOf(block: Block, text: string, page: number | undefined): TextSpan[] {
  const start = text.length - (block.text ?? '').length;
  if (block.lines !== undefined) return shiftLines(block.lines, start);
  const own = block.page ?? page;
  const range = { start, end: text.length };
  if (own === undefined || block.bbox === undefined) return [{ ...range, blockId: block.id, offset: 0 }];
  return [{ ...range, page: own, box: block.bbox }];
}

function prosePieces(text: string, lines: readonly TextSpan[], { maxTokens, counter }: BlockTextContext): Piece[] {
  let end = 0;
  return splitText(text, maxTokens, counter).map((part) => {
    const start = end;
    end += part.length;
    return { text: part, tokens: counter.count(part), joiner: '', lines: sliceSpans(lines, start, end) };
  });
}

function linePieces(text: string, lines: readonly TextSpan[], context: BlockTextContext): Piece[] {
  const { maxTokens, counter } = context;
  let next = 0;
  return text.split('\n').flatMap((line): Piece[] => {
    const tokens = counter.count(line);
    const own = sliceSpans(lines, next, next + line.length);
    next += line.length + 1;
    if (tokens <= maxTokens) return [{ text: line, tokens, joiner: '\n', lines: own }];
    const [first, ...rest] = prosePieces(line, own, context);
    return first === undefined ? [] : [{ ...first, joiner: '\n' }, ...rest];
  });
}

/**
 * Renders items as lines with their markers, so that a list is readable in a chunk; other blocks of an item follow it.
 */
function listTexts(list: Block, context: BlockTextContext, depth: number, page: number | undefined): BlockText[] {
  return (list.children ?? []).flatMap((item, index) => {
    const mark = list.ordered === true ? `${(list.start ?? 1) + index}. ` : '- ';
    const text = item.text ?? '';
    const inner = item.page ?? page;
    const below = (item.children ?? []).flatMap((child) =>
      child.type === 'list'
        ? listTexts(child, context, depth + 1, child.page ?? inner)
        : blockTexts(child, context, inner),
    );
    if (text === '') return below;
    const own = proseText(item, `${'  '.repeat(depth)}${mark}${text}`, context, page);
    return [{ ...own, isItem: true }, ...below];
  });
}
