/** Converts the parser's flat list of tokens into blocks. */
import type { Token } from 'markdown-it';
import type { BlockDraft, TableCell, TextMark } from '@quire/blocks/block';
import { shifted } from '../../structure/shifted.ts';
import { flattenBlocks, type FlatText } from '../../structure/flatten-blocks.ts';
import { parseHtmlFragment } from '../html/html.ts';
import { definitionList } from '../html/html-structures.ts';
import { inlineText } from './markdown-inline.ts';
import { markdownTokens } from './markdown-parser.ts';
import type { TextTableCell } from './markdown-text-tables.ts';

/** Maximum number of consecutive pieces of HTML that are joined. */
const MAX_HTML_PIECES = 200;

/** Words and numbers without any Markdown syntax. */
const PLAIN = /^(?:[\p{L}\p{N}]+(?:[ ,][\p{L}\p{N}]+)*)?$/u;

export class MarkdownBlocks {
  readonly #tokens: readonly Token[];
  readonly #lines: readonly string[];
  readonly #footnotes: ReadonlySet<string>;
  #position = 0;

  /** `source` is the text of the tokens, `footnotes` are its footnote labels. */
  constructor(tokens: readonly Token[], source: string, footnotes: ReadonlySet<string>) {
    this.#tokens = tokens;
    this.#lines = source.split('\n');
    this.#footnotes = footnotes;
  }

  /** Reads the blocks up to the token that closes the current container. */
  read(): BlockDraft[] {
    const blocks: BlockDraft[] = [];
    for (let token = this.#next(); token !== undefined && token.nesting >= 0; token = this.#next()) {
      const isCaption = token.type === 'paragraph_open' && blocks.at(-1)?.type === 'table' && this.#isMarkedCaption();
      for (const block of this.#blocks(token)) blocks.push(isCaption ? captionOf(block) : block);
    }
    return blocks;
  }

  #next(): Token | undefined {
    const token = this.#tokens[this.#position];
    this.#position += 1;
    return token;
  }

  #blocks(token: Token): BlockDraft[] {
    switch (token.type) {
      case 'heading_open':
        return [this.#heading(Number(token.tag.slice(1)))];
      case 'paragraph_open':
        return [this.#paragraph()];
      case 'fence':
      case 'code_block':
        return [codeOf(token)];
      case 'html_block':
        return parseHtmlFragment(this.#html(token));
      case 'blockquote_open':
        return [this.#quote()];
      case 'bullet_list_open':
        return [{ type: 'list', ordered: false, children: this.#items() }];
      case 'ordered_list_open': {
        const start = Number(token.attrGet('start') ?? 1);
        return [{ type: 'list', ordered: true, ...(start === 1 ? {} : { start }), children: this.#items() }];
      }
      case 'table_open':
        return [{ type: 'table', rows: this.#rows() }];
      case 'text_table':
        return [{ type: 'table', rows: this.#drawnRows(token) }];
      case 'definitions_open':
        return this.#definitions();
      case 'footnote_open':
        return [footnoteOf(token.content, this.read())];
      default:
        // Thematic breaks and unknown tokens.
        return [];
    }
  }

  /** Reads the inline tokens after an opening token and skips the closing token. */
  #inlines(): readonly Token[] {
    const inline = this.#next();
    this.#next();
    return inline?.children ?? [];
  }

  #text(): FlatText {
    return inlineText(this.#inlines());
  }

  /** Removes `{#id .class}` at the end, which is meant for site generators. */
  #heading(level: number): BlockDraft {
    const source = this.#tokens[this.#position]?.content ?? '';
    const { text, ...ranges } = this.#text();
    const isMarked = /(?<!\\)\{:?\s*[#.][^{}\n]*\}$/.test(source);
    return { type: 'heading', level, text: isMarked ? text.replace(/\s*\{[^{}]*\}$/, '') : text, ...ranges };
  }

  #quote(): BlockDraft {
    const source = this.#tokens[this.#position + 1]?.content ?? '';
    const kind = /^\[!(note|tip|important|warning|caution)\]/i.exec(source)?.[1];
    return kind === undefined ? quoteOf(this.read()) : alertOf(kind, this.read());
  }

  /** Returns whether the next paragraph is a caption as Pandoc writes it below tables. */
  #isMarkedCaption(): boolean {
    return /^(?::|Table:)\s+\S/.test(this.#tokens[this.#position]?.content ?? '');
  }

  #paragraph(): BlockDraft {
    const inlines = this.#inlines();
    const [first] = inlines;
    if (first?.type === 'formula' && first.markup === '$$' && inlines.length === 1) {
      return { type: 'formula', text: first.content };
    }
    const onlyImages = inlines.every((token) => token.type === 'image');
    return { type: onlyImages ? 'figure' : 'paragraph', ...inlineText(inlines) };
  }

  #items(): BlockDraft[] {
    const items: BlockDraft[] = [];
    while (this.#next()?.type === 'list_item_open') items.push(itemOf(this.read()));
    return items;
  }

  #definitions(): BlockDraft[] {
    const definitions = new WeakSet<BlockDraft>();
    const items: BlockDraft[] = [];
    for (let token = this.#next(); token && token.type !== 'definitions_close'; token = this.#next()) {
      const item: BlockDraft = token.type === 'term_open' ? { type: 'listItem', ...this.#text() } : itemOf(this.read());
      if (token.type !== 'term_open') definitions.add(item);
      items.push(item);
    }
    return definitionList(items, definitions);
  }

  /** Returns the rows of a text table, whose cells contain Markdown. */
  #drawnRows(token: Token): TableCell[][] {
    const { rows } = token.meta as { rows: readonly TextTableCell[][] };
    return rows.map((row) =>
      row.map(({ text: source, ...cell }) => {
        if (PLAIN.test(source)) return { ...cell, text: source };
        const inside = new MarkdownBlocks(markdownTokens(source, this.#footnotes), source, this.#footnotes);
        return cellOf(flattenBlocks(inside.read()), cell);
      }),
    );
  }

  #rows(): TableCell[][] {
    const rows: TableCell[][] = [];
    for (let token = this.#next(); token && token.type !== 'table_close'; token = this.#next()) {
      if (token.type === 'tr_open') rows.push([]);
      if (token.type !== 'th_open' && token.type !== 'td_open') continue;
      const header = token.type === 'th_open';
      rows.at(-1)?.push(cellOf(this.#text(), { rowSpan: 1, colSpan: 1, header }));
    }
    return rows;
  }

  /** Returns a piece of HTML. In Markdown, a blank line ends it even inside a table; such tables are joined again. */
  #html(first: Token): string {
    let depth = openTables(first.content);
    let position = this.#position;
    for (let pieces = 1; depth > 0 && pieces < MAX_HTML_PIECES; pieces += 1) {
      const token = this.#tokens[position];
      if (token === undefined || token.nesting < 0) break;
      if (token.type === 'html_block') depth += openTables(token.content);
      position = this.#after(position);
      if (depth > 0 || token.type !== 'html_block') continue;
      this.#position = position;
      return this.#lines.slice(first.map?.[0], token.map?.[1]).join('\n');
    }
    return first.content;
  }

  /** Returns the position of the next token at the same level. */
  #after(position: number): number {
    let depth = 0;
    let at = position;
    do {
      depth += this.#tokens[at]?.nesting ?? 0;
      at += 1;
    } while (depth > 0 && at < this.#tokens.length);
    return at;
  }
}

function openTables(html: string): number {
  return (html.match(/<table\b/gi) ?? []).length - (html.match(/<\/table\s*>/gi) ?? []).length;
}

function codeOf({ content, info }: Token): BlockDraft {
  const text = content.replace(/\n$/, '');
  const language = info.trim().split(/\s+/)[0] ?? '';
  if (language === 'math') return { type: 'formula', text };
  return language === '' ? { type: 'code', text } : { type: 'code', text, language };
}

/** Builds a list item. Checkboxes of task lists are kept in the text. */
function itemOf([first, ...rest]: BlockDraft[]): BlockDraft {
  if (first?.type !== 'paragraph' && first?.type !== 'figure') {
    return { type: 'listItem', text: '', children: first === undefined ? [] : [first, ...rest] };
  }
  const text = (first.text ?? '').replace(/^\[X\](?=\s)/, '[x]');
  const item: BlockDraft = { type: 'listItem', text, links: first.links ?? [], ...marksBy(first.marks, 0) };
  return rest.length > 0 ? { ...item, children: rest } : item;
}

function cellOf({ text, links, marks }: FlatText, cell: Omit<TableCell, 'text'>): TableCell {
  return { ...cell, text, ...(links.length > 0 ? { links } : {}), ...marksBy(marks, 0) };
}

const marksBy = (marks: readonly TextMark[] | undefined, by: number): { marks?: TextMark[] } =>
  marks === undefined ? {} : { marks: shifted(marks, by) };

function captionOf({ text = '', links = [], marks, ...block }: BlockDraft): BlockDraft {
  const own = text.replace(/^:\s*/, '');
  const gone = text.length - own.length;
  return { ...block, type: 'caption', text: own, links: shifted(links, -gone), ...marksBy(marks, -gone) };
}

/** Builds a quote that GitHub shows as an alert with a title: `> [!NOTE]`. */
function alertOf(kind: string, children: readonly BlockDraft[]): BlockDraft {
  const title: BlockDraft = { type: 'paragraph', text: kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase() };
  const [first, ...rest] = children;
  const shift = `[!${kind}]`.length;
  const text = first?.text?.slice(shift).trimStart() ?? '';
  if (first === undefined || text === '') return { type: 'quote', children: [title, ...rest] };
  const gone = (first.text?.length ?? 0) - text.length;
  const links = shifted(first.links ?? [], -gone);
  return { type: 'quote', children: [title, { ...first, text, links, ...marksBy(first.marks, -gone) }, ...rest] };
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
