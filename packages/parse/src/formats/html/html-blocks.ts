/**
 * Walks a parsed HTML tree and builds blocks by the layout rules of browsers: a block element ends the paragraph before
 * it, and inline text is collected with collapsed white space. The walk uses its own stack, because pages may nest
 * without limit. Nothing is fetched or executed; content that browsers hide is left out.
 */
import type { BlockDraft, BlockType, MarkKind } from '@quire/blocks/block';
import { flattenBlocks } from '../../structure/flatten-blocks.ts';
import {
  attribute,
  BLOCK_TAGS,
  type HtmlElement,
  type HtmlNode,
  isBoilerplate,
  isElement,
  isHidden,
} from './html-attributes.ts';
import { fieldText } from './html-field.ts';
import { headingLevel, isPermalink } from './html-heading.ts';
import { InlineText } from './html-inline.ts';
import { marksOf } from './html-marks.ts';
import { isMathPicture, mathText, pictureText, visibleText } from './html-leaf.ts';
import { codeBlock, isLineNumbers, isListing, isNumberColumn } from './html-listing.ts';
import { definitionItems, definitionList, figureOf, headingOf, itemOf, listOf, quoteOf } from './html-structures.ts';
import { HtmlTable } from './html-table.ts';
import { inlineFormula, texPieces } from './html-tex.ts';

export interface HtmlOptions {
  /**
   * Leaves out navigation, banners, side bars and similar parts. Off by default, because recognising them is a guess.
   */
  removeBoilerplate?: boolean;
  /** Base address of the page's relative links, if the page declares one. */
  base?: string | undefined;
  /** True if a script of the page typesets TeX. */
  tex?: boolean;
}

const FIELD_TAGS = new Set(['input', 'select', 'textarea', 'button']);
/** Maximum nesting of containers; deeper ones only separate paragraphs. */
const MAX_CONTAINERS = 60;

type Exit = () => void;

interface Visit {
  /** Called after the children. */
  exit?: Exit;
  /** True if the children were already read or are hidden. */
  skipChildren?: boolean;
}

const SKIP: Visit = { skipChildren: true };

export function htmlBlocks(nodes: readonly HtmlNode[], options: HtmlOptions = {}): BlockDraft[] {
  return new HtmlBlockBuilder(options).build(nodes);
}

class HtmlBlockBuilder {
  private readonly removeBoilerplate: boolean;
  private readonly base: string | undefined;
  private readonly tex: boolean;
  /** Blocks of each open container, starting with those of the page. */
  private readonly containers: BlockDraft[][] = [[]];
  private readonly tables: HtmlTable[] = [];
  /** List items that define the term before them. */
  private readonly definitions = new WeakSet<BlockDraft>();
  private inline = new InlineText();
  private openLink: { start: number; href: string } | undefined;
  private readonly openMarks: { start: number; kind: MarkKind }[] = [];

  constructor(options: HtmlOptions) {
    this.removeBoilerplate = options.removeBoilerplate ?? false;
    this.base = options.base;
    this.tex = options.tex ?? false;
  }

  build(nodes: readonly HtmlNode[]): BlockDraft[] {
    const todo: (HtmlNode | Exit)[] = nodes.toReversed();
    for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
      if (typeof next === 'function') {
        next();
      } else if (isElement(next)) {
        const { exit, skipChildren } = this.enter(next);
        if (exit !== undefined) todo.push(exit);
        if (skipChildren !== true) for (const kind of marksOf(next)) todo.push(this.mark(kind));
        if (skipChildren !== true) for (const child of next.childNodes.toReversed()) todo.push(child);
      } else if (next.nodeName === '#text' && 'value' in next) {
        this.addText(next.value, next.parentNode);
      }
    }
    this.flush();
    return this.containers[0] ?? [];
  }

  private enter(element: HtmlElement): Visit {
    if (isHidden(element) || (this.removeBoilerplate && isBoilerplate(element))) return SKIP;
    const level = headingLevel(element);
    if (level !== undefined) return this.contain((blocks) => this.pushAll(headingOf(level, blocks)));
    if (isListing(element)) return this.leaf(codeBlock(element));
    if (BLOCK_TAGS.has(element.tagName)) return this.separate();
    return this.enterContainer(element) ?? this.enterTablePart(element) ?? this.enterInline(element);
  }

  private enterContainer(element: HtmlElement): Visit | undefined {
    switch (element.tagName) {
      case 'ul':
      case 'ol':
      case 'menu':
      case 'dir':
        return this.contain((blocks) => this.pushAll(listOf(element, blocks)));
      case 'li':
        return this.contain((blocks) => this.push(itemOf(blocks)));
      case 'dl':
        return this.contain((blocks) => this.pushAll(definitionList(blocks, this.definitions)));
      case 'dt':
        return this.contain((blocks) => this.push(itemOf(blocks)));
      case 'dd':
        return this.contain((blocks) => {
          for (const item of definitionItems(blocks)) {
            this.definitions.add(item);
            this.push(item);
          }
        });
      case 'blockquote':
        return this.contain((blocks) => this.push(quoteOf(blocks)));
      case 'figure':
        return this.contain((blocks) => this.pushAll(figureOf(blocks)));
      case 'figcaption':
        return this.contain((blocks) => this.push({ type: 'caption', ...flattenBlocks(blocks) }));
      case 'pre':
      case 'listing':
      case 'xmp':
      case 'plaintext':
        return isLineNumbers(element) ? SKIP : this.leaf(codeBlock(element));
      default:
        return undefined;
    }
  }

  private enterTablePart(element: HtmlElement): Visit | undefined {
    const table = this.tables.at(-1);
    switch (element.tagName) {
      case 'table':
        return this.enterTable(element);
      case 'caption':
        return this.contain((blocks) => {
          const caption: BlockDraft = { type: 'caption', ...flattenBlocks(blocks) };
          if (table === undefined) this.push(caption);
          else table.captions.push(caption);
        });
      case 'tr':
        table?.startRow(element);
        return {};
      case 'td':
      case 'th':
        if (table === undefined) return this.separate();
        if (isNumberColumn(element)) return SKIP;
        return this.contain((blocks) => table.addCell(element, blocks));
      default:
        return undefined;
    }
  }

  private enterTable(element: HtmlElement): Visit {
    if (this.containers.length >= MAX_CONTAINERS) return this.separate();
    const table = new HtmlTable(element);
    this.tables.push(table);
    return this.contain((stray) => {
      this.tables.pop();
      this.pushAll([...table.finish(), ...stray]);
    });
  }

  private enterInline(element: HtmlElement): Visit {
    const { tagName } = element;
    if (FIELD_TAGS.has(tagName)) return this.field(element);
    switch (tagName) {
      case 'br':
        this.inline.lineBreak();
        return SKIP;
      case 'a':
        return isPermalink(element) ? SKIP : this.link(attribute(element, 'href')?.trim() ?? '');
      case 'img':
      case 'svg':
        if (isMathPicture(element)) return this.math(element);
        this.inline.addPicture(pictureText(element));
        return SKIP;
      case 'math':
      case 'script':
        return this.math(element);
      case 'q':
        this.inline.add('“');
        return { exit: () => this.inline.add('”') };
      case 'rt':
        return this.ruby(element);
      default:
        return {};
    }
  }

  private field(element: HtmlElement): Visit {
    this.inline.addWord(fieldText(element));
    this.inline.hasField ||= element.tagName !== 'button';
    return SKIP;
  }

  private link(href: string): Visit {
    if (href === '') return {};
    this.openLink = { start: this.inline.position, href: resolved(href, this.base) };
    return {
      exit: () => {
        this.closeLink();
        this.openLink = undefined;
      },
    };
  }

  private closeLink(): void {
    if (this.openLink !== undefined) this.inline.addLink(this.openLink.start, this.openLink.href);
  }

  private addText(text: string, parent: HtmlElement['parentNode']): void {
    if (!this.tex) {
      this.inline.add(text);
      return;
    }
    for (const piece of texPieces(text, parent?.nodeName ?? '')) {
      if (piece.math === 'display') this.leaf({ type: 'formula', text: piece.text });
      else this.inline.add(piece.math === 'inline' ? inlineFormula(piece.text) : piece.text);
    }
  }

  private math(element: HtmlElement): Visit {
    const { text, display } = mathText(element);
    if (display) return this.leaf({ type: 'formula', text });
    this.inline.add(inlineFormula(text));
    return SKIP;
  }

  /** A mark may cover several blocks: each gets its part. */
  private mark(kind: MarkKind): Exit {
    const mark = { start: this.inline.position, kind };
    this.openMarks.push(mark);
    return () => {
      this.openMarks.splice(this.openMarks.lastIndexOf(mark), 1);
      this.inline.addMark(mark.start, kind);
    };
  }

  private ruby(element: HtmlElement): Visit {
    const parent = element.parentNode;
    const marked = parent !== null && parent.childNodes.some((child) => child.nodeName === 'rp');
    this.inline.add(marked ? '' : `(${visibleText(element).trim()})`);
    return marked ? {} : SKIP;
  }

  private separate(): Visit {
    this.flush();
    return { exit: () => this.flush() };
  }

  private leaf(block: BlockDraft): Visit {
    this.flush();
    this.push(block);
    return SKIP;
  }

  /** Collects the blocks of the element's children and passes them to `finish` at the element's end. */
  private contain(finish: (blocks: BlockDraft[]) => void): Visit {
    this.flush();
    if (this.containers.length >= MAX_CONTAINERS) return { exit: () => this.flush() };
    const blocks: BlockDraft[] = [];
    this.containers.push(blocks);
    return {
      exit: () => {
        this.flush();
        this.containers.pop();
        finish(blocks);
      },
    };
  }

  private flush(): void {
    this.closeLink();
    if (this.openLink !== undefined) this.openLink.start = 0;
    for (const mark of this.openMarks) {
      this.inline.addMark(mark.start, mark.kind);
      mark.start = 0;
    }
    const { inline } = this;
    if (inline.isEmpty) return;
    this.inline = new InlineText();
    const type: BlockType = inline.hasField ? 'formField' : inline.onlyPictures ? 'figure' : 'paragraph';
    const block: BlockDraft = { type, text: inline.text };
    if (inline.links.length > 0) block.links = inline.links;
    if (inline.marks.length > 0) block.marks = inline.marks;
    this.push(block);
  }

  private push(block: BlockDraft): void {
    this.containers.at(-1)?.push(block);
  }

  private pushAll(blocks: readonly BlockDraft[]): void {
    for (const block of blocks) this.push(block);
  }
}

/** Resolves an address against the base. Links within the page and addresses without a base are unchanged. */
function resolved(href: string, base: string | undefined): string {
  return base === undefined || href.startsWith('#') || !URL.canParse(href, base) ? href : new URL(href, base).href;
}
