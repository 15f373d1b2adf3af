/**
 * Reads OpenDocument files: text (odt), spreadsheets (ods) and presentations (odp). The kind follows from the content,
 * so misnamed files are read as well. Tracked deletions are left out.
 */
import type { BlockDraft, ParsedContent } from '@quire/blocks/block';
import { ContentError } from '@quire/blocks/content-error';
import type { FormatReader, ParseContext } from '../../parser.ts';
import { nestBelowTitle } from '../../office/build/document-title.ts';
import { encryptedError } from '../../legacy/compound/open-compound.ts';
import type { OdfContext } from './odf-context.ts';
import { OdsReader } from './sheet-reader.ts';
import { lengthInPoints } from './length.ts';
import { OdpReader } from './slides-reader.ts';
import type { PageSize } from './slides-reader.ts';
import { OdfStyles } from './styles.ts';
import { OdfTextReader } from './text-reader.ts';
import { OfficePackage } from '../../office/package/office-package.ts';
import { needsRecognition, withPictures, type ShownPicture } from '../../office/pictures/shown-pictures.ts';
import { WorkbookBuilder } from '../../office/sheet/workbook-builder.ts';
import type { XmlHandler } from '../../office/xml/parse-xml.ts';
import { attribute, descend, descendants, firstDescendant, textOf } from '../../office/xml/xml-element.ts';
import type { XmlElement } from '../../office/xml/xml-element.ts';

export const reader: FormatReader = {
  parse: (file, context) => OfficePackage.use(file, context, (source) => readPackage(source, context)),
};

async function readPackage(officePackage: OfficePackage, parseContext: ParseContext): Promise<ParsedContent> {
  refuseEncrypted(officePackage);
  if (!officePackage.has('content.xml')) throw new ContentError('corrupt', 'The file is damaged: it has no content');
  const styleRoot = officePackage.optionalTree('styles.xml');
  const styles = new OdfStyles();
  styles.add(styleRoot);
  const context: OdfContext = {
    officePackage,
    styles,
    readTree: (element) => new OdfTextReader(context).readInside(element),
    notes: [],
    pictures: [],
    comments: [],
  };
  const body = new BodySwitch(context, parseContext, pageSize(styleRoot));
  officePackage.parse('content.xml', body);
  parseContext.onProgress(1);
  const content = body.finish(metaTitle(officePackage));
  const load = (name: string): Buffer => officePackage.bytes(name);
  const { blocks, warnings } = await withPictures(content.blocks, body.pictures(content), load, parseContext);
  return { ...content, blocks, warnings: [...content.warnings, ...warnings] };
}

function refuseEncrypted(officePackage: OfficePackage): void {
  if (officePackage.has('encrypted-package')) throw encryptedError();
  if (!officePackage.has('META-INF/manifest.xml')) return;
  const manifest: XmlHandler = {
    open(name) {
      if (name === 'manifest:encryption-data') throw encryptedError();
      return false;
    },
  };
  officePackage.parse('META-INF/manifest.xml', manifest, { allowPlainDoctype: true });
}

/** Forwards the events to the reader for the kind of body as soon as it is known; styles precede the body. */
class BodySwitch implements XmlHandler {
  readonly #context: OdfContext;
  readonly #parseContext: ParseContext;
  readonly #size: PageSize | undefined;
  readonly #workbook = new WorkbookBuilder();
  readonly #text: OdfTextReader;
  #slides: OdpReader | undefined;
  #target: XmlHandler;

  constructor(context: OdfContext, parseContext: ParseContext, size: PageSize | undefined) {
    this.#context = context;
    this.#parseContext = parseContext;
    this.#size = size;
    this.#text = new OdfTextReader(context);
    this.#target = this.#text;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): boolean {
    if (name === 'office:spreadsheet') {
      this.#target = new OdsReader(this.#context, this.#workbook);
    } else if (name === 'office:presentation' || name === 'office:drawing') {
      this.#slides = new OdpReader(this.#context, this.#parseContext, this.#size);
      this.#target = this.#slides;
    }
    return this.#target.open(name, attributes);
  }

  close(name: string): void {
    this.#target.close?.(name);
  }

  element(element: XmlElement): void {
    this.#target.element?.(element);
  }

  /** Returns the pictures for OCR of a text or presentation. Pictures of sheets are not recognised. */
  pictures({ blocks }: ParsedContent): ShownPicture[] {
    if (this.#slides) return this.#slides.pictures;
    const isText = this.#target === this.#text;
    return isText && needsRecognition(this.#parseContext, blocks)
      ? this.#context.pictures.map((name) => ({ name }))
      : [];
  }

  finish(metaTitle: string | null): ParsedContent {
    if (this.#slides) {
      return { blocks: this.#slides.blocks, pageCount: this.#slides.pageCount, title: metaTitle, warnings: [] };
    }
    if (this.#target !== this.#text) return this.#workbook.finish(metaTitle);
    const { blocks, title } = nestBelowTitle(this.#text.blocks);
    const notes = [...this.#context.notes, ...this.#context.comments].map((text): BlockDraft => ({
      type: 'footnote',
      text,
    }));
    return { blocks: [...blocks, ...notes], pageCount: null, title: metaTitle ?? title, warnings: [] };
  }
}

function metaTitle(officePackage: OfficePackage): string | null {
  const meta = officePackage.optionalTree('meta.xml');
  const title = textOf(descend(meta, 'office:meta', 'dc:title')).trim();
  return title === '' ? null : title;
}

/** Returns the page size of the first master page's layout, which is the size of the slides. */
function pageSize(styles: XmlElement | undefined): PageSize | undefined {
  const layoutName = attribute(firstDescendant(styles, 'style:master-page'), 'style:page-layout-name');
  for (const layout of descendants(styles, 'style:page-layout')) {
    if (attribute(layout, 'style:name') !== layoutName) continue;
    const properties = firstDescendant(layout, 'style:page-layout-properties');
    const width = lengthInPoints(attribute(properties, 'fo:page-width'));
    const height = lengthInPoints(attribute(properties, 'fo:page-height'));
    if (width !== undefined && height !== undefined && width > 0 && height > 0) return { width, height };
  }
  return undefined;
}
