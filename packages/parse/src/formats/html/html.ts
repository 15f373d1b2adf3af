/** Reads HTML files, and HTML fragments inside Markdown, as blocks. */
import { parse, parseFragment } from 'parse5';
import type { BlockDraft, ParsedContent } from '@quire/blocks/block';
import { attribute, type HtmlElement, type HtmlNode, isElement } from './html-attributes.ts';
import { htmlBlocks, type HtmlOptions } from './html-blocks.ts';
import { visibleText } from './html-leaf.ts';
import { typesetsTex } from './html-tex.ts';
import type { FormatReader } from '../../parser.ts';
import { readWholeText } from '../../encoding/text-file.ts';

/** Maximum size of a page, in bytes; a parsed page takes about 20 times its size in memory. */
const MAX_BYTES = 64 * 1024 * 1024;

export const reader: FormatReader = {
  parse: async (file, { options, signal }) =>
    parseHtml(await readWholeText(file, MAX_BYTES, signal), { removeBoilerplate: options.removeBoilerplate ?? false }),
};

export function parseHtml(html: string, options: HtmlOptions = {}): ParsedContent {
  const document = parse(html);
  const inHead = headOf(document.childNodes);
  return {
    blocks: htmlBlocks(document.childNodes, { ...options, base: baseOf(inHead), tex: typesetsTex(html) }),
    pageCount: null,
    title: titleOf(inHead),
    warnings: [],
  };
}

/** Returns the blocks of an HTML fragment, such as those in Markdown. */
export function parseHtmlFragment(html: string): BlockDraft[] {
  return htmlBlocks(parseFragment(html).childNodes);
}

function headOf(nodes: readonly HtmlNode[]): HtmlElement[] {
  const root = nodes.find((node) => node.nodeName === 'html');
  if (root === undefined || !isElement(root)) return [];
  const head = root.childNodes.filter(isElement).find((node) => node.tagName === 'head');
  return head?.childNodes.filter(isElement) ?? [];
}

function titleOf(inHead: readonly HtmlElement[]): string | null {
  const title = inHead.find((node) => node.tagName === 'title');
  const social = inHead.find((node) => node.tagName === 'meta' && attribute(node, 'property') === 'og:title');
  const text = title === undefined ? '' : visibleText(title).trim();
  return text || (social && attribute(social, 'content')?.trim()) || null;
}

/** Returns the first base address if it is absolute; the page's own address is unknown. */
function baseOf(inHead: readonly HtmlElement[]): string | undefined {
  const base = inHead.find((node) => node.tagName === 'base' && attribute(node, 'href') !== undefined);
  const href = base && attribute(base, 'href')?.trim();
  return href !== undefined && /^https?:/i.test(href) && URL.canParse(href) ? href : undefined;
}
