/** Blocks of the HTML elements that structure others, made of the blocks that were found inside them. */
import type { BlockDraft } from '@quire/blocks/block';
import { flattenBlocks } from '../../structure/flatten-blocks.ts';
import { attribute, type HtmlElement, isElement } from './html-attributes.ts';

/** The heading's text; a table inside it, however odd, follows it. */
export function headingOf(level: number, blocks: readonly BlockDraft[]): BlockDraft[] {
  const heading: BlockDraft = {
    type: 'heading',
    level,
    ...flattenBlocks(blocks.filter((block) => block.rows === undefined)),
  };
  return [heading, ...blocks.filter((block) => block.rows !== undefined)];
}

/** The list, or what is in its items when they are sections with headings: such a list only arranges the page. */
export function listOf(element: HtmlElement, children: BlockDraft[]): BlockDraft[] {
  const list: BlockDraft = { type: 'list', ordered: element.tagName === 'ol', children };
  const sections = children.filter((item) => item.children?.some((block) => block.type === 'heading') === true);
  if (list.ordered !== true && sections.length > 0 && 2 * sections.length >= children.length)
    return children.flatMap(contentOf);
  const start = Number.parseInt(attribute(element, 'start') ?? firstValue(element) ?? '', 10);
  if (list.ordered === true && Number.isFinite(start) && start !== 1) list.start = start;
  return children.length > 0 ? [list] : [];
}

function contentOf(item: BlockDraft): BlockDraft[] {
  const { children = [], ...own } = item;
  return own.text === undefined ? children : [{ ...own, type: 'paragraph' }, ...children];
}

function firstValue(list: HtmlElement): string | undefined {
  const first = list.childNodes.filter(isElement).find((child) => child.tagName === 'li');
  return first && attribute(first, 'value');
}

/** An item's first paragraph is its own text, the rest are its children. */
export function itemOf(blocks: readonly BlockDraft[]): BlockDraft {
  const [first, ...rest] = blocks;
  if (first === undefined) return { type: 'listItem' };
  const isText = ['paragraph', 'formField', 'figure'].includes(first.type) && first.children === undefined;
  const item: BlockDraft = isText ? { ...first, type: 'listItem' } : { type: 'listItem' };
  const children = isText ? rest : blocks;
  return children.length > 0 ? { ...item, children: [...children] } : item;
}

/** A definition that is nothing but a list joins the list of definitions. */
export function definitionItems(blocks: readonly BlockDraft[]): BlockDraft[] {
  const [only] = blocks;
  const isLoneList = blocks.length === 1 && only?.type === 'list' && only.ordered === false;
  return isLoneList ? (only.children ?? []) : [itemOf(blocks)];
}

/** Terms are the items, and the definitions of each a list below it. */
export function definitionList(blocks: readonly BlockDraft[], definitions: WeakSet<BlockDraft>): BlockDraft[] {
  const terms: BlockDraft[] = [];
  let below: BlockDraft[] | undefined;
  for (const block of blocks) {
    const term = terms.at(-1);
    if (!definitions.has(block) || term === undefined) {
      terms.push(block);
      below = undefined;
    } else if (below === undefined) {
      below = [block];
      (term.children ??= []).push({ type: 'list', ordered: false, children: below });
    } else {
      below.push(block);
    }
  }
  return terms.length > 0 ? [{ type: 'list', ordered: false, children: terms }] : [];
}

/** A picture with its captions; a figure that holds code or a table is that, beside its caption. */
export function figureOf(blocks: readonly BlockDraft[]): BlockDraft[] {
  const isPicture = blocks.every((block) => ['paragraph', 'figure', 'caption'].includes(block.type));
  if (!isPicture) return [...blocks];
  const captions = blocks.filter((block) => block.type === 'caption');
  const pictures = blocks.filter((block) => block.type !== 'caption');
  const figure: BlockDraft = { type: 'figure', ...flattenBlocks(pictures) };
  return [captions.length > 0 ? { ...figure, children: captions } : figure];
}

export function quoteOf(blocks: readonly BlockDraft[]): BlockDraft {
  const [first] = blocks;
  if (first?.type === 'paragraph' && blocks.length === 1) return { ...first, type: 'quote' };
  return { type: 'quote', children: [...blocks] };
}
