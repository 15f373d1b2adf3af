/** Blocks of the HTML elements that structure others, made of the blocks that were found inside them. */
import type { BlockDraft, TextLink } from '../../content/block.ts';
import { flattenBlocks, type FlatText } from './flatten-blocks.ts';
import { attribute, type HtmlElement } from './html-attributes.ts';

/** The heading's text; a table inside it, however odd, follows it. */
export function headingOf(level: number, blocks: readonly BlockDraft[]): BlockDraft[] {
  const heading: BlockDraft = {
    type: 'heading',
    level,
    ...withoutPermalink(flattenBlocks(blocks.filter((block) => block.rows === undefined))),
  };
  return [heading, ...blocks.filter((block) => block.rows !== undefined)];
}

const PERMALINK = /^[¶#§∞🔗⚓]\ufe0f?$/u;

/** A link of one sign at the end (or start) of a heading leads to the heading itself: documentation tools put it there. */
function withoutPermalink({ text, links }: FlatText): FlatText {
  const own = links.find(
    ({ start, end, href }) =>
      href.startsWith('#') && PERMALINK.test(text.slice(start, end)) && (start === 0 || end === text.length),
  );
  if (own === undefined) return { text, links };
  const kept = text.slice(0, own.start) + text.slice(own.end);
  const shift = own.start === 0 ? text.length - kept.trimStart().length : 0;
  const moved = ({ start, end, href }: TextLink): TextLink => ({ start: start - shift, end: end - shift, href });
  return { text: kept.trim(), links: links.filter((link) => link !== own).map(moved) };
}

export function listOf(element: HtmlElement, children: BlockDraft[]): BlockDraft[] {
  const list: BlockDraft = { type: 'list', ordered: element.tagName === 'ol', children };
  const start = Number.parseInt(attribute(element, 'start') ?? '', 10);
  if (list.ordered === true && Number.isFinite(start) && start !== 1) list.start = start;
  return children.length > 0 ? [list] : [];
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
