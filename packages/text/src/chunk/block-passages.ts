import type { Block } from '@quire/blocks/block';
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
    passages.push({ ...origin(block, page), isProse: false, ...tableText(block.rows, context) });
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
  return {
    ...origin(block, page),
    tokens,
    isProse: !isCode && block.type !== 'formula',
    whole: tokens <= maxTokens ? { text, tokens, joiner: '' } : undefined,
    divide: () => (isCode ? linePieces(text, context) : prosePieces(text, context)),
  };
}

function prosePieces(text: string, { maxTokens, counter }: PassageContext): Piece[] {
  return splitText(text, maxTokens, counter).map((part) => ({ text: part, tokens: counter.count(part), joiner: '' }));
}

function linePieces(text: string, context: PassageContext): Piece[] {
  const { maxTokens, counter } = context;
  return text.split('\n').flatMap((line): Piece[] => {
    const tokens = counter.count(line);
    if (tokens <= maxTokens) return [{ text: line, tokens, joiner: '\n' }];
    const [first, ...rest] = prosePieces(line, context);
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
