/**
 * Cuts a document into chunks for search. A chunk contains consecutive blocks of one section, with at most `maxTokens`
 * tokens of text, and names the headings above it; very small sections of one parent share a chunk. A table below a
 * title that is no heading has chunks of its own, which name the title like a heading. Tables are cut between rows with
 * their header repeated, code between lines, paragraphs between sentences. Every character that is not white space is
 * in the text or the headings of some chunk. Time is linear in the text.
 */
import type { Block, DocumentTree, TextLine } from '@quire/blocks/block';
import type { TokenCounter } from './token-counter.ts';
import { blockTexts } from './block-texts.ts';
import { chunkBoxes } from './boxes.ts';
import type { ChunkDraft, ChunkingOptions } from './chunk.ts';
import { mergeSmallSections } from './merge-small-sections.ts';
import { Packer, type SectionChunk } from './packer.ts';
import type { BlockText, BlockTextContext } from './block-text.ts';
import { splitText } from './split-text.ts';
import { titledTables } from './table-title.ts';
import { isBlockPart, sliceSpans, type TextSpan } from './text-spans.ts';

/** Longer headings are probably body text: they are cut in the path, and kept whole in the chunk. */
const MAX_HEADING_CHARACTERS = 200;

export function chunkTree(tree: DocumentTree, options: ChunkingOptions, counter: TokenCounter): ChunkDraft[] {
  const context = { maxTokens: options.maxTokens, counter };
  const sections: SectionChunk[] = [];
  chunkSection(tree.blocks, [], { context, options, sections });
  const merged = mergeSmallSections(sections, options.maxTokens, counter);
  return merged.flatMap((chunk) => bounded(chunk, context)).map(draft);
}

interface SectionContext {
  context: BlockTextContext;
  options: ChunkingOptions;
  sections: SectionChunk[];
}

/** Adds the blocks of one section without its heading; returns whether they contain text. */
function chunkSection(
  blocks: readonly Block[],
  headings: readonly string[],
  state: SectionContext,
  first?: BlockText,
): boolean {
  let packer = new Packer(state.options);
  if (first !== undefined) packer.add(first);
  let isEmpty = true;
  let path = headings;
  const flush = (): void => {
    for (const chunk of packer.end()) state.sections.push({ ...chunk, headings: path });
    packer = new Packer(state.options);
  };
  const titles = titledTables(blocks);
  let endOfTable = -1;
  for (const [at, block] of blocks.entries()) {
    if (block.type === 'section') {
      flush();
      isEmpty = !openSection(block, headings, state) && isEmpty;
      continue;
    }
    const titled = titles.get(at);
    if (titled !== undefined && titled.title !== headings.at(-1)) {
      flush();
      path = [...headings, titled.title];
      endOfTable = titled.table;
    }
    for (const blockText of blockTexts(block, state.context)) {
      packer.add(blockText);
      isEmpty = false;
    }
    if (at === endOfTable) {
      flush();
      path = headings;
    }
  }
  flush();
  return !isEmpty;
}

/** Adds a section with its heading. Always returns true: a section without text gives a chunk of its heading. */
function openSection(section: Block, headings: readonly string[], state: SectionContext): boolean {
  const [heading, ...content] = section.children ?? [];
  if (heading?.type !== 'heading') return chunkSection(section.children ?? [], headings, state);
  const text = (heading.text ?? '').replaceAll('\n', ' ');
  const isLong = text.length > MAX_HEADING_CHARACTERS;
  const path = [...headings, isLong ? `${text.slice(0, MAX_HEADING_CHARACTERS)}…` : text];
  const before = state.sections.length;
  const asText = blockTexts({ ...heading, children: [] }, state.context, section.page)[0];
  const hasContent = chunkSection([...(heading.children ?? []), ...content], path, state, isLong ? asText : undefined);
  const isHeadingOnly = !hasContent && !isLong;
  if (isHeadingOnly) chunkSection([], headings, state, asText);
  const [only, ...others] = state.sections.slice(before);
  if (only !== undefined && others.length === 0 && (isHeadingOnly || only.headings.length === path.length)) {
    only.soleOf = { headingId: heading.id, isHeadingOnly };
  }
  return true;
}

/** Counts the joined text, as token counts do not add up exactly, and divides a chunk that is too long. */
function bounded(chunk: SectionChunk, { maxTokens, counter }: BlockTextContext): SectionChunk[] {
  const { text, lines } = trimmed(chunk);
  const tokens = counter.count(text);
  if (tokens <= maxTokens) return text === '' ? [] : [{ ...chunk, text, lines, tokens }];
  const half = Math.max(1, Math.floor(maxTokens * 0.9));
  const parts: string[] = [];
  for (const part of splitText(text, half, counter)) {
    const joined = (parts.at(-1) ?? '') + part;
    if (parts.length > 0 && counter.count(joined) <= half) parts[parts.length - 1] = joined;
    else parts.push(part);
  }
  let offset = 0;
  return parts
    .map((part) => {
      const own = trimmed({ text: part, lines: sliceSpans(lines, offset, offset + part.length) });
      offset += part.length;
      return { ...chunk, ...own, tokens: counter.count(own.text) };
    })
    .filter((part) => part.text !== '');
}

/** Removes white space at both ends of a text, and moves its line map. */
function trimmed({ text, lines }: Pick<SectionChunk, 'text' | 'lines'>): Pick<SectionChunk, 'text' | 'lines'> {
  const clean = text.trim();
  if (clean.length === text.length) return { text, lines };
  const start = text.length - text.trimStart().length;
  return { text: clean, lines: sliceSpans(lines, start, start + clean.length) };
}

/** Divides the spans into the line map and the parts of blocks without a position. */
function placed(spans: readonly TextSpan[]): Pick<ChunkDraft, 'lines' | 'parts'> {
  const parts = spans.filter(isBlockPart);
  const lines = spans.filter((span): span is TextLine => !isBlockPart(span));
  return { ...(lines.length === 0 ? {} : { lines }), ...(parts.length === 0 ? {} : { parts }) };
}

function draft(chunk: SectionChunk, ordinal: number): ChunkDraft {
  return {
    ordinal,
    text: chunk.text,
    headings: [...chunk.headings],
    blockIds: chunk.blockIds,
    boxes: chunkBoxes(chunk.places),
    ...placed(chunk.lines),
    tokenCount: chunk.tokens,
  };
}
