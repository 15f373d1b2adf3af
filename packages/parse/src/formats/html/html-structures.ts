/** Builds the blocks of structuring HTML elements from the blocks found inside them. */
import type { BlockDraft } from '@quire/blocks/block';
import { flattenBlocks } from '../../structure/flatten-blocks.ts';
import { attribute, type HtmlElement, isElement } from './html-attributes.ts';

/** Returns the heading with its text, followed by any table found inside it. */
export function headingOf(level: number, blocks: readonly BlockDraft[]): BlockDraft[] {
  const heading: BlockDraft = {
    type: 'heading',
    level,
    ...flattenBlocks(blocks.filter((block) => block.rows === undefined)),
  };
  return [heading, ...blocks.filter((block) => block.rows !== undefined)];
}

/**
 * Returns the list, or the content of its items if they are sections with headings: such a list only arranges the page.
 */
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

/** Returns an item: the first paragraph is its own text, the other blocks are its children. */
export function itemOf(blocks: readonly BlockDraft[]): BlockDraft {
  const [first, ...rest] = blocks;
  if (first === undefined) return { type: 'listItem' };
  const isText = ['paragraph', 'formField', 'figure'].includes(first.type) && first.children === undefined;
  const item: BlockDraft = isText ? { ...first, type: 'listItem' } : { type: 'listItem' };
  const children = isText ? rest : blocks;
  return children.length > 0 ? { ...item, children: [...children] } : item;
}

/** Returns the items of a definition; a definition that is only a list contributes its items. */
export function definitionItems(blocks: readonly BlockDraft[]): BlockDraft[] {
  const [only] = blocks;
  const isLoneList = blocks.length === 1 && only?.type === 'list' && only.ordered === false;
  return isLoneList ? (only.children ?? []) : [itemOf(blocks)];
}

/** Returns a list whose items are the terms, each with its definitions as a nested list. */
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

/**
 * Returns a figure with its captions. A figure that contains code or a table becomes that block next to its caption.
 */
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
