/**
 * Reads block-level Word content as a stream. Containers (body, tables, content controls) are followed as they open and
 * close; paragraphs arrive as trees. Memory is bounded by the text and one paragraph, also for tables of any length.
 */
import type { BlockDraft } from '@quire/blocks/block';
import { cellContent } from '../../office/build/plain-text.ts';
import { ommlToLatex } from '../../latex/omml.ts';
import type { XmlHandler } from '../../office/xml/parse-xml.ts';
import { attribute, child, childElements, childrenNamed } from '../../office/xml/xml-element.ts';
import type { XmlAttributes, XmlElement } from '../../office/xml/xml-element.ts';
import type { DocxContext } from './docx-context.ts';
import { FieldStack } from '../../office/build/fields.ts';
import { InlineReader } from './inline.ts';
import { ParagraphWriter } from './paragraph.ts';
import { Story } from '../../office/build/story.ts';
import { DocxTable } from './table.ts';

/** Containers whose content is read as if the container were absent. */
const TRANSPARENT = new Set([
  'w:document',
  'w:body',
  'w:sdt',
  'w:sdtContent',
  'w:customXml',
  'w:smartTag',
  'w:ins',
  'w:moveTo',
  'w:hdr',
  'w:ftr',
  'w:footnote',
  'w:endnote',
  'w:comment',
  'w:txbxContent',
  'mc:Choice',
  'w:dir',
  'w:bdo',
]);
const TABLE_PARTS = new Set(['w:tbl', 'w:tr', 'w:tc']);

export class BodyReader implements XmlHandler {
  readonly #context: DocxContext;
  readonly #fields = new FieldStack();
  /** Stack of stories; the last one, of the body or the innermost open cell, receives content. */
  readonly #stories: Story[] = [new Story()];
  readonly #tables: DocxTable[] = [];
  readonly #paragraphs: ParagraphWriter;

  constructor(context: DocxContext) {
    this.#context = context;
    this.#paragraphs = new ParagraphWriter(context);
  }

  get blocks(): BlockDraft[] {
    return this.#stories[0]?.blocks ?? [];
  }

  /** Reads content that is already in memory as a tree, such as a text box or a note. */
  static readTree(context: DocxContext, element: XmlElement): BlockDraft[] {
    const reader = new BodyReader(context);
    reader.#replay(element);
    return reader.blocks;
  }

  open(name: string, _attributes?: XmlAttributes): boolean {
    if (TRANSPARENT.has(name)) return false;
    if (!TABLE_PARTS.has(name)) return true;
    if (name === 'w:tbl') this.#tables.push(new DocxTable());
    if (name === 'w:tr') this.#tables.at(-1)?.openRow();
    if (name === 'w:tc') {
      this.#tables.at(-1)?.openCell();
      this.#stories.push(new Story());
    }
    return false;
  }

  close(name: string): void {
    if (name === 'w:tc') this.#closeCell();
    else if (name === 'w:tr') this.#tables.at(-1)?.closeRow();
    else if (name === 'w:tbl') this.#closeTable();
  }

  element(element: XmlElement): void {
    switch (element.name) {
      case 'w:p':
        this.#paragraph(element);
        break;
      case 'm:oMathPara':
        this.#story.addBlocks(childrenNamed(element, 'm:oMath').map(formula));
        break;
      case 'm:oMath':
        this.#story.addBlocks([formula(element)]);
        break;
      case 'mc:AlternateContent':
        for (const choice of childElements(element).slice(0, 1)) this.#replay(choice);
        break;
      case 'w:tblPr':
      case 'w:trPr':
      case 'w:tcPr':
      case 'w:tblGrid':
        this.#tables.at(-1)?.properties(element);
        break;
      default:
      // All other elements are skipped: deleted content, bookmarks, section properties.
    }
  }

  get #story(): Story {
    return this.#stories.at(-1) ?? new Story();
  }

  #paragraph(element: XmlElement): void {
    const style = this.#context.styles.paragraph(attribute(child(child(element, 'w:pPr'), 'w:pStyle'), 'w:val'));
    const inline = new InlineReader(this.#context, this.#fields).read(element, style);
    this.#paragraphs.write(this.#story, element, style, inline);
    for (const attachment of inline.attachments) {
      const blocks =
        attachment.kind === 'block' ? [attachment.block] : BodyReader.readTree(this.#context, attachment.content);
      this.#story.addBlocks(blocks);
    }
  }

  #closeCell(): void {
    const story = this.#stories.length > 1 ? this.#stories.pop() : undefined;
    if (story) this.#tables.at(-1)?.closeCell(cellContent(story.blocks), story.blocks);
  }

  #closeTable(): void {
    this.#story.addBlocks(this.#tables.pop()?.finish() ?? []);
  }

  #replay(element: XmlElement): void {
    if (this.open(element.name)) {
      this.element(element);
      return;
    }
    for (const node of childElements(element)) this.#replay(node);
    this.close(element.name);
  }
}

const formula = (element: XmlElement): BlockDraft => ({ type: 'formula', text: ommlToLatex(element) });
