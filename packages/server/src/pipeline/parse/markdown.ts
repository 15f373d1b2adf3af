/**
 * Markdown (CommonMark with GitHub's tables, footnotes, task lists and strikethrough) as blocks. Pieces of HTML in it
 * are read by the HTML reader. Front matter gives the title and stays as a block of code, so that it can be found.
 */
import type { ListItem, PhrasingContent, RootContent, Table } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import type { BlockDraft, ParsedContent } from '../../content/block.ts';
import type { FlatText } from './flatten-blocks.ts';
import { parseHtmlFragment } from './html.ts';
import { inlineText, type LinkTargets } from './markdown-inline.ts';
import { fenceFormulas, isHostile, splitAtHeadings, takeFrontMatter } from './markdown-source.ts';
import type { FormatReader } from './parser.ts';
import { parsePlainText } from './text.ts';
import { readWholeText } from './text-file.ts';

/** The parser reads about 300 kB a second: what is larger is read as plain text, which takes as many milliseconds. */
const MAX_PARSED_LENGTH = 16 * 1024 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;
/** The parser's memory and time grow faster than its input: long documents are read in parts that begin at headings. */
const PART_LENGTH = 64 * 1024;
/** A part without headings that is longer than this is a dump, not a document: read as plain text. */
const MAX_PART_LENGTH = 1024 * 1024;

const processor = unified().use(remarkParse).use(remarkGfm).freeze();

export const reader: FormatReader = {
  parse: async (file, context) => parseMarkdown(await readWholeText(file, MAX_BYTES, context.signal)),
};

export function parseMarkdown(source: string): ParsedContent {
  const { body, title, text, language } = takeFrontMatter(source.replace(/\r\n?/g, '\n').replaceAll('\0', ''));
  const blocks: BlockDraft[] = text === '' ? [] : [{ type: 'code', text, language }];
  const warnings = new Set<string>();
  if (body.length > MAX_PARSED_LENGTH) {
    const rest = parsePlainText(body);
    return {
      blocks: blocks.concat(rest),
      pageCount: null,
      title,
      warnings: ['The file is very long and was read as plain text.'],
    };
  }
  const definitions = definitionsOf(body);
  const parts = splitAtHeadings(fenceFormulas(body), PART_LENGTH);
  for (const part of parts) {
    const whole = parts.length === 1 ? part : part + missingDefinitions(part, definitions);
    for (const block of parsePart(whole, definitions, warnings)) blocks.push(block);
  }
  return { blocks, pageCount: null, title, warnings: [...warnings] };
}

/** Link targets of the whole document, as a part may use one that another part defines. */
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

function parsePart(source: string, definitions: LinkTargets, warnings: Set<string>): BlockDraft[] {
  try {
    if (source.length > MAX_PART_LENGTH || isHostile(source)) throw new RangeError('too long or too deep');
    return new Converter(source, definitions).convertAll(processor.parse(source).children);
  } catch (error) {
    // A stack overflow: nesting that no parser limit foresees.
    if (!(error instanceof RangeError)) throw error;
    warnings.add('Parts of the file are too deeply nested or too long for Markdown and were read as plain text.');
    return parsePlainText(source);
  }
}

/** Definitions from other parts that this part refers to, to be appended. */
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

class Converter {
  private readonly source: string;
  private readonly targets: LinkTargets;

  constructor(source: string, targets: LinkTargets) {
    this.source = source;
    this.targets = targets;
  }

  convertAll(nodes: readonly RootContent[]): BlockDraft[] {
    const blocks: BlockDraft[] = [];
    for (let index = 0; index < nodes.length; index += 1) {
      const node = nodes[index];
      if (node?.type === 'html') {
        const last = this.endOfHtml(nodes, index);
        const end = nodes[last]?.position?.end.offset;
        const html = last > index ? this.source.slice(node.position?.start.offset ?? 0, end) : node.value;
        for (const block of parseHtmlFragment(html)) blocks.push(block);
        index = last;
      } else if (node !== undefined) {
        blocks.push(...this.convert(node));
      }
    }
    return blocks;
  }

  /** A blank line ends a piece of HTML for Markdown, even inside a table: such a table is put together again. */
  private endOfHtml(nodes: readonly RootContent[], start: number): number {
    let depth = 0;
    for (let index = start; index < Math.min(nodes.length, start + 200); index += 1) {
      const node = nodes[index];
      if (node?.type === 'html') depth += openTables(node.value);
      if (depth <= 0) return index;
    }
    return start;
  }

  private convert(node: RootContent): BlockDraft[] {
    switch (node.type) {
      case 'heading':
        return [{ type: 'heading', level: node.depth, ...this.inline(node.children) }];
      case 'paragraph': {
        const onlyImages = node.children.every((child) => child.type === 'image' || child.type === 'imageReference');
        return [{ type: onlyImages ? 'figure' : 'paragraph', ...this.inline(node.children) }];
      }
      case 'code':
        return [codeOf(node.value, node.lang ?? undefined)];
      case 'blockquote':
        return [quoteOf(this.convertAll(node.children))];
      case 'list': {
        const list: BlockDraft = { type: 'list', ordered: node.ordered ?? false };
        if (node.ordered === true && (node.start ?? 1) !== 1) list.start = node.start ?? 1;
        return [{ ...list, children: node.children.map((item) => this.item(item)) }];
      }
      case 'table':
        return [this.table(node)];
      case 'footnoteDefinition':
        return [footnoteOf(node.label ?? node.identifier, this.convertAll(node.children))];
      case 'thematicBreak':
      case 'definition':
        return [];
      // Dealt with by their owners; inlines cannot stand here.
      case 'html':
      case 'listItem':
      case 'tableRow':
      case 'tableCell':
      case 'yaml':
      case 'break':
      case 'delete':
      case 'emphasis':
      case 'footnoteReference':
      case 'image':
      case 'imageReference':
      case 'inlineCode':
      case 'link':
      case 'linkReference':
      case 'strong':
      case 'text':
        return [];
    }
  }

  private inline(nodes: readonly PhrasingContent[]): FlatText {
    return inlineText(nodes, this.targets);
  }

  private table(table: Table): BlockDraft {
    const rows = table.children.map((row, index) =>
      row.children.map((cell) => ({
        text: this.inline(cell.children).text,
        rowSpan: 1,
        colSpan: 1,
        header: index === 0,
      })),
    );
    return { type: 'table', rows };
  }

  private item(node: ListItem): BlockDraft {
    const [first, ...rest] = this.convertAll(node.children);
    const box = typeof node.checked === 'boolean' ? `[${node.checked ? 'x' : ' '}] ` : '';
    if (first?.type !== 'paragraph' && first?.type !== 'figure') {
      return { type: 'listItem', text: box, children: first === undefined ? [] : [first, ...rest] };
    }
    const links = (first.links ?? []).map((it) => ({ ...it, start: it.start + box.length, end: it.end + box.length }));
    const item: BlockDraft = { type: 'listItem', text: box + (first.text ?? ''), links };
    return rest.length > 0 ? { ...item, children: rest } : item;
  }
}

function openTables(html: string): number {
  return (html.match(/<table\b/gi) ?? []).length - (html.match(/<\/table\s*>/gi) ?? []).length;
}

function codeOf(text: string, language: string | undefined): BlockDraft {
  if (language === 'math') return { type: 'formula', text };
  return language === undefined ? { type: 'code', text } : { type: 'code', text, language };
}

function quoteOf(children: BlockDraft[]): BlockDraft {
  const [first] = children;
  return first?.type === 'paragraph' && children.length === 1
    ? { ...first, type: 'quote' }
    : { type: 'quote', children };
}

function footnoteOf(label: string, children: BlockDraft[]): BlockDraft {
  const [first, ...rest] = children;
  const isText = first?.type === 'paragraph';
  const text = `[${label}] ${isText ? (first.text ?? '') : ''}`;
  const below = isText ? rest : children;
  return below.length > 0 ? { type: 'footnote', text, children: below } : { type: 'footnote', text };
}
