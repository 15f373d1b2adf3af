/**
 * Reads block-level OpenDocument text as a stream. Sections, lists and tables are followed as they open and close;
 * paragraphs arrive as trees. Also reads trees (text boxes, notes, shapes of slides) by replaying their events.
 */
import type { BlockDraft } from '@quire/blocks/block';
import { TITLE_LEVEL } from '../../office/build/document-title.ts';
import { cellContent, plainText } from '../../office/build/plain-text.ts';
import { Story } from '../../office/build/story.ts';
import { withLead } from '../../office/build/text-builder.ts';
import type { XmlHandler } from '../../office/xml/parse-xml.ts';
import { attribute, childElements, integerAttribute } from '../../office/xml/xml-element.ts';
import type { XmlAttributes, XmlElement } from '../../office/xml/xml-element.ts';
import { readFrame } from './frame.ts';
import { readInline } from './inline.ts';
import type { OdfInline } from './inline.ts';
import { OdfLists } from './lists.ts';
import type { OdfContext } from './odf-context.ts';
import { ListCounter } from './styles.ts';
import { OdfTable } from './table.ts';

/** Elements that are skipped: declarations, deleted text, sources of generated indexes. */
const IGNORED = new Set([
  'text:tracked-changes',
  'text:sequence-decls',
  'text:variable-decls',
  'text:user-field-decls',
  'office:forms',
  'office:scripts',
  'office:font-face-decls',
  'text:table-of-content-source',
  'text:illustration-index-source',
  'text:alphabetical-index-source',
  'text:bibliography-source',
  'table:table-source',
  'svg:title',
  'svg:desc',
  'office:event-listeners',
  'draw:enhanced-geometry',
  'draw:glue-point',
  'office:meta',
  'office:settings',
]);

export class OdfTextReader implements XmlHandler {
  readonly #context: OdfContext;
  readonly #stories: Story[] = [new Story()];
  readonly #tables: OdfTable[] = [];
  readonly #outline = new ListCounter();
  /** The open lists of each story: text in a cell does not belong to the list around the table. */
  readonly #lists: OdfLists[];

  constructor(context: OdfContext) {
    this.#context = context;
    this.#lists = [new OdfLists(context.styles)];
  }

  get blocks(): BlockDraft[] {
    return this.#stories[0]?.blocks ?? [];
  }

  /** Reads the content of an element that is already a tree. */
  readInside(element: XmlElement): BlockDraft[] {
    for (const node of childElements(element)) this.#replay(node);
    return this.blocks;
  }

  open(name: string, attributes: XmlAttributes): boolean {
    switch (name) {
      case 'text:p':
      case 'text:h':
      case 'office:automatic-styles':
      case 'office:annotation':
        return true;
      case 'text:list':
        this.#openLists.openList(attributes);
        return false;
      case 'text:list-item':
      case 'text:list-header':
        this.#openLists.openItem(name, attributes);
        return false;
      case 'table:table':
        this.#tables.push(new OdfTable());
        return false;
      case 'table:table-header-rows':
      case 'table:table-row':
        this.#tables.at(-1)?.open(name, attributes);
        return false;
      case 'table:table-cell':
        this.#tables.at(-1)?.openCell(attributes);
        this.#stories.push(new Story());
        this.#lists.push(new OdfLists(this.#context.styles));
        return false;
      default:
        return IGNORED.has(name) || name.startsWith('draw:');
    }
  }

  close(name: string): void {
    switch (name) {
      case 'text:list':
        this.#openLists.closeList();
        break;
      case 'table:table-cell':
        this.#closeCell();
        break;
      case 'table:table-header-rows':
        this.#tables.at(-1)?.closeHeader();
        break;
      case 'table:table':
        this.#story.addBlocks(this.#tables.pop()?.finish() ?? []);
        break;
      default:
    }
  }

  element(element: XmlElement): void {
    if (element.name === 'office:automatic-styles') this.#context.styles.add(element);
    else if (element.name === 'text:p' || element.name === 'text:h') this.#paragraph(element);
    else if (element.name === 'office:annotation') this.#comment(element);
    else if (element.name.startsWith('draw:')) this.#story.addBlocks(readFrame(element, this.#context));
  }

  get #story(): Story {
    return this.#stories.at(-1) ?? new Story();
  }

  get #openLists(): OdfLists {
    return this.#lists.at(-1) ?? new OdfLists(this.#context.styles);
  }

  #paragraph(element: XmlElement): void {
    const inline = readInline(element, this.#context.styles);
    this.#write(element, inline);
    for (const frame of inline.frames) this.#story.addBlocks(readFrame(frame, this.#context));
    for (const note of inline.notes) {
      const text = plainText(this.#context.readTree(note.body));
      if (text !== '') this.#context.notes.push(`[${note.mark}] ${text}`);
    }
    for (const comment of inline.comments) this.#comment(comment);
  }

  #write(element: XmlElement, inline: OdfInline): void {
    const kind = this.#context.styles.paragraphKind(attribute(element, 'text:style-name'));
    if (kind === 'code') {
      this.#story.addCode(inline.rawText.trimEnd());
    } else if (inline.text === '') {
      return;
    } else if (element.name === 'text:h') {
      this.#heading(element, inline);
    } else if (kind === 'title') {
      this.#story.addText('heading', inline, TITLE_LEVEL);
    } else if (!this.#openLists.write(this.#story, inline)) {
      this.#story.addText(kind === 'quote' || kind === 'caption' ? kind : 'paragraph', inline);
    }
  }

  #heading(element: XmlElement, inline: OdfInline): void {
    const level = Math.min(10, Math.max(1, integerAttribute(element, 'text:outline-level') ?? 1));
    const levelAt = (each: number): ReturnType<OdfContext['styles']['outlineLevel']> =>
      this.#context.styles.outlineLevel(each);
    let label = this.#openLists.headingLabel();
    if (label === '' && attribute(element, 'text:is-list-header') !== 'true' && (levelAt(level)?.format ?? '') !== '') {
      this.#outline.advance(level, levelAt(level)?.start ?? 1);
      label = this.#outline.label(level, levelAt);
    }
    const lead = label === '' ? '' : `${label} `;
    this.#story.addText('heading', withLead(lead, inline), level);
  }

  #comment(element: XmlElement): void {
    const author = childElements(element).find((each) => each.name === 'dc:creator');
    const name = author?.children.filter((each) => typeof each === 'string').join('') ?? '';
    const paragraphs = { ...element, children: childElements(element).filter((each) => each.name.startsWith('text:')) };
    const text = plainText(this.#context.readTree(paragraphs));
    if (text !== '') this.#context.comments.push(`Comment${name === '' ? '' : ` (${name})`}: ${text}`);
  }

  #closeCell(): void {
    this.#lists.pop();
    const story = this.#stories.length > 1 ? this.#stories.pop() : undefined;
    if (story) this.#tables.at(-1)?.closeCell(cellContent(story.blocks), story.blocks);
  }

  #replay(element: XmlElement): void {
    if (this.open(element.name, element.attributes)) {
      this.element(element);
      return;
    }
    for (const node of childElements(element)) this.#replay(node);
    this.close(element.name);
  }
}
