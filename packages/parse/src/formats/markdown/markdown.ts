/**
 * Reads Markdown (CommonMark with GitHub's tables, footnotes, task lists and strikethrough) as blocks. Embedded HTML
 * goes through the HTML reader. Front matter provides the title and becomes a code block, so that search finds it.
 */
import type { BlockDraft, ParsedContent } from '@quire/blocks/block';
import { contentWarning } from '@quire/blocks/content-warning';
import { MarkdownBlocks } from './markdown-blocks.ts';
import { openDirectives } from './markdown-directives.ts';
import { footnoteLabels } from './markdown-footnotes.ts';
import { markdownTokens } from './markdown-parser.ts';
import { fenceFormulas, isHostile, splitAtHeadings, takeFrontMatter } from './markdown-source.ts';
import type { FormatReader } from '../../parser.ts';
import { parsePlainText } from '../text/text.ts';
import { readWholeText } from '../../encoding/text-file.ts';

/**
 * Maximum length that is parsed, in characters. A megabyte takes 0.2 s; longer texts are read as plain text in a
 * hundredth of the time.
 */
const MAX_PARSED_LENGTH = 16 * 1024 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;
/**
 * Minimum length of the parts of a long document, in characters. Parts begin at headings and bound the memory of the
 * tokens.
 */
const PART_LENGTH = 256 * 1024;
/** Maximum length of a part without headings, in characters. Longer ones are dumps and read as plain text. */
const MAX_PART_LENGTH = 1024 * 1024;

/** Link targets by label, in lower case with single spaces. */
type LinkTargets = ReadonlyMap<string, string>;

export const reader: FormatReader = {
  parse: async (file, context) => parseMarkdown(await readWholeText(file, MAX_BYTES, context.signal)),
};

export function parseMarkdown(source: string): ParsedContent {
  const { body: marked, title, text, language } = takeFrontMatter(source.replace(/\r\n?/g, '\n').replaceAll('\0', ''));
  const body = openDirectives(marked);
  const blocks: BlockDraft[] = text === '' ? [] : [{ type: 'code', text, language }];
  const warnings = new Set<string>();
  if (body.length > MAX_PARSED_LENGTH) {
    const rest = parsePlainText(body);
    return {
      blocks: blocks.concat(rest),
      pageCount: null,
      title,
      warnings: [contentWarning('simplified', 'The file is very long and was read as plain text')],
    };
  }
  const definitions = definitionsOf(body);
  const footnotes = footnoteLabels(body);
  const parts = splitAtHeadings(fenceFormulas(body), PART_LENGTH);
  for (const part of parts) {
    const whole = parts.length === 1 ? part : part + missingDefinitions(part, definitions);
    for (const block of parsePart(whole, footnotes, warnings)) blocks.push(block);
  }
  return {
    blocks,
    pageCount: null,
    title,
    warnings: [...warnings].map((message) => contentWarning('simplified', message)),
  };
}

/** Returns the link targets of the whole document, because a part may use one that another part defines. */
function definitionsOf(body: string): LinkTargets {
  const found = new Map<string, string>();
  for (const match of body.matchAll(/^ {0,3}\[((?!\^)(?:\\[^\n]|[^\]\\\n]){1,200})\]:[ \t]*(?:<([^>\n]*)>|(\S+))/gm)) {
    const label = normaliseLabel(match[1] ?? '');
    if (!found.has(label)) found.set(label, match[2] ?? match[3] ?? '');
  }
  return found;
}

function normaliseLabel(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase();
}

function parsePart(source: string, footnotes: ReadonlySet<string>, warnings: Set<string>): BlockDraft[] {
  try {
    if (source.length > MAX_PART_LENGTH || isHostile(source)) throw new RangeError('too long or too deep');
    return new MarkdownBlocks(markdownTokens(source, footnotes), source, footnotes).read();
  } catch (error) {
    // A stack overflow by nesting that the limits do not cover.
    if (!(error instanceof RangeError)) throw error;
    warnings.add('Parts of the file are too deeply nested or too long for Markdown and were read as plain text');
    return parsePlainText(source);
  }
}

/** Returns definitions from other parts that this part refers to, to be appended to it. */
function missingDefinitions(source: string, definitions: LinkTargets): string {
  if (definitions.size === 0) return '';
  const own = definitionsOf(source);
  const used = new Set(
    Array.from(source.matchAll(/\[([^\]\n[]{1,200})\]/g), (match) => normaliseLabel(match[1] ?? '')),
  );
  const lines = [...used]
    .filter((label) => definitions.has(label) && !own.has(label))
    .map((label) => `[${label}]: <${definitions.get(label) ?? ''}>`);
  return lines.length === 0 ? '' : `\n\n${lines.join('\n')}\n`;
}
