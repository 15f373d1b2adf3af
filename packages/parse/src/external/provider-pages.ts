/** Converts the pages that a provider has read into blocks: parses its Markdown and adds page numbers and positions. */
import type { BlockDraft, ParsedContent } from '@quire/blocks/block';
import { contentWarning, type ContentWarning } from '@quire/blocks/content-warning';
import type { ReadPage, ReadPart } from '@quire/blocks/page-reading';
import { parseMarkdown } from '../formats/markdown/markdown.ts';

export interface ProviderReading {
  pages: ReadPage[];
  pageCount: number;
  warnings: ContentWarning[];
}

export function providerContent({ pages, pageCount, warnings }: ProviderReading): ParsedContent {
  const silent = pages.filter(({ parts }) => parts.every(({ markdown }) => markdown.trim() === ''));
  const all = [...warnings, ...pages.flatMap((page) => page.warnings)];
  for (const { page } of silent) all.push(contentWarning('pages_without_text', 'The provider read no text', [page]));
  const blocks = pages.flatMap(({ page, parts }) => parts.flatMap((part) => blocksOf(part, page)));
  return { blocks, pageCount, title: titleOf(blocks), warnings: all };
}

function titleOf(blocks: readonly BlockDraft[]): string | null {
  const first = blocks.find((block) => block.type === 'heading' && block.level === 1);
  return first?.page === 1 ? (first.text ?? null) : null;
}

function blocksOf({ type, markdown, bbox }: ReadPart, page: number): BlockDraft[] {
  const place = bbox === null ? { page } : { page, bbox };
  const read = parseMarkdown(markdown).blocks;
  if (type === 'heading') {
    const level = read.find((block) => block.type === 'heading')?.level ?? 2;
    return [{ type, level, text: textOf(read), ...place }];
  }
  if (type === 'formula') return [{ type, text: markdown.replace(/^\s*\$\$|\$\$\s*$/g, '').trim(), ...place }];
  if (type === 'figure') return [{ type, text: withoutGenericName(textOf(read)), ...place }];
  if (type !== null) return [{ type, text: textOf(read), ...place }];
  return read.map((block) => placed(block, place));
}

/** Drops the generic names that providers give to pictures. */
const withoutGenericName = (text: string): string => (/^(?:img|figure)[-_]?\d*\.?\w*$/i.test(text) ? '' : text);

const textOf = (blocks: readonly BlockDraft[]): string =>
  blocks
    .map((block) => [block.text ?? '', textOf(block.children ?? [])].filter((text) => text !== '').join('\n'))
    .join('\n')
    .trim();

function placed(block: BlockDraft, place: Pick<BlockDraft, 'page' | 'bbox'>): BlockDraft {
  const children = block.children?.map((child) => placed(child, place));
  return { ...block, ...place, ...(children === undefined ? {} : { children }) };
}
