import type { Block, TextLine } from '@quire/blocks/block';
import { shiftLines, sliceLines } from '@quire/blocks/text-lines';
import type { Place } from './boxes.ts';
import type { Passage, PassageContext, Piece } from './passage.ts';
import { splitText } from './split-text.ts';
import { tableText } from './table-passage.ts';

/** The passages of a block that is no section, in reading order. `page` is the page of what it stands in. */
export function blockPassages(block: Block, context: PassageContext, page?: number): Passage[] {
  if (block.type === 'pageBreak') return [];
  if (block.type === 'list') return listPassages(block, context, 0, block.page ?? page);
  const passages: Passage[] = [];
  if (block.rows !== undefined && block.rows.length > 0) {
    passages.push({ ...origin(block, page), isProse: false, ...tableText(block, block.rows, context, page) });
  }
  const text = block.text ?? '';
  if (text !== '') passages.push(textPassage(block, text, context, page));
  return passages.concat(childPassages(block, context, page));
}

function childPassages(block: Block, context: PassageContext, page: number | undefined): Passage[] {
  return (block.children ?? []).flatMap((child) => blockPassages(child, context, block.page ?? page));
}

function origin(block: Block, page: number | undefined): { blockIds: string[]; places: Place[] } {
  const own = block.page ?? page;
  return { blockIds: [block.id], places: own === undefined ? [] : [{ page: own, bbox: block.bbox }] };
}

function textPassage(block: Block, text: string, context: PassageContext, page: number | undefined): Passage {
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

/** Returns the line map of a text that ends with the block's text; a block without one counts as a single line. */
function linesOf(block: Block, text: string, page: number | undefined): TextLine[] {
  const start = text.length - (block.text ?? '').length;
  if (block.lines !== undefined) return shiftLines(block.lines, start);
  const own = block.page ?? page;
  return own === undefined || block.bbox === undefined ? [] : [{ start, end: text.length, page: own, box: block.bbox }];
}

function prosePieces(text: string, lines: readonly TextLine[], { maxTokens, counter }: PassageContext): Piece[] {
  let end = 0;
  return splitText(text, maxTokens, counter).map((part) => {
    const start = end;
    end += part.length;
    return { text: part, tokens: counter.count(part), joiner: '', lines: sliceLines(lines, start, end) };
  });
}

function linePieces(text: string, lines: readonly TextLine[], context: PassageContext): Piece[] {
  const { maxTokens, counter } = context;
  let next = 0;
  return text.split('\n').flatMap((line): Piece[] => {
    const tokens = counter.count(line);
    const own = sliceLines(lines, next, next + line.length);
    next += line.length + 1;
    if (tokens <= maxTokens) return [{ text: line, tokens, joiner: '\n', lines: own }];
    const [first, ...rest] = prosePieces(line, own, context);
    return first === undefined ? [] : [{ ...first, joiner: '\n' }, ...rest];
  });
}

/** Items as lines with their marks, so that a list reads as one in a chunk; other blocks in an item follow it. */
function listPassages(list: Block, context: PassageContext, depth: number, page: number | undefined): Passage[] {
  return (list.children ?? []).flatMap((item, index) => {
    const mark = list.ordered === true ? `${(list.start ?? 1) + index}. ` : '- ';
    const text = item.text ?? '';
    const inner = item.page ?? page;
    const below = (item.children ?? []).flatMap((child) =>
      child.type === 'list'
        ? listPassages(child, context, depth + 1, child.page ?? inner)
        : blockPassages(child, context, inner),
    );
    if (text === '') return below;
    const own = textPassage(item, `${'  '.repeat(depth)}${mark}${text}`, context, page);
    return [{ ...own, isItem: true }, ...below];
  });
}
