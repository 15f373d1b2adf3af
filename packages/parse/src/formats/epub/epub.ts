/**
 * EPUB books, versions 2 and 3: `container.xml` names the package document, whose spine lists the chapters in reading
 * order. Chapters are XHTML and go through the HTML reader; the table of contents gives headings to chapters without
 * one.
 */
import type { BlockDraft, ParsedContent } from '@quire/blocks/block';
import { ContentError } from '@quire/blocks/content-error';
import { contentWarning, type ContentWarning } from '@quire/blocks/content-warning';
import { OfficePackage } from '../../office/package/office-package.ts';
import { decodeXml } from '../../office/xml/decode-xml.ts';
import type { FormatReader, ParseContext } from '../../parser.ts';
import { parseHtml } from '../html/html.ts';
import { encryptedParts } from './encrypted-parts.ts';
import { readPackageDocument, type PackageDocument } from './package-document.ts';
import { readTableOfContents, type ContentsEntry } from './table-of-contents.ts';
import { xhtmlToHtml } from './xhtml-to-html.ts';

const MAX_WARNINGS = 20;

export const reader: FormatReader = {
  parse: (file, context) => OfficePackage.use(file, context, (book) => readBook(book, context)),
};

function readBook(book: OfficePackage, context: ParseContext): ParsedContent {
  const document = readPackageDocument(book);
  refuseEncrypted(book, document);
  const contents = readTableOfContents(book, document);
  const blocks: BlockDraft[] = [];
  const warnings: ContentWarning[] = [];
  for (const [index, path] of document.spine.entries()) {
    context.signal.throwIfAborted();
    if (book.has(path)) for (const block of readChapter(book, path, contents.get(path))) blocks.push(block);
    else if (warnings.length < MAX_WARNINGS)
      warnings.push(contentWarning('truncated', `The chapter ${path} is missing`));
    context.onProgress((index + 1) / document.spine.length);
  }
  const { title, language } = document;
  return { blocks, pageCount: null, title, language, warnings };
}

/** Fonts may be obfuscated, which does not matter; encrypted chapters cannot be read. */
function refuseEncrypted(book: OfficePackage, { spine }: PackageDocument): void {
  const encrypted = encryptedParts(book);
  if (spine.some((path) => encrypted.has(path))) {
    throw new ContentError('encrypted', 'The book is protected by digital rights management');
  }
}

function readChapter(book: OfficePackage, path: string, entry: ContentsEntry | undefined): BlockDraft[] {
  const { blocks } = parseHtml(xhtmlToHtml([...decodeXml(book.chunks(path))].join('')));
  if (entry === undefined || blocks.length === 0 || hasHeading(blocks)) return blocks;
  return [{ type: 'heading', level: entry.level, text: entry.title }, ...blocks];
}

const hasHeading = (blocks: readonly BlockDraft[]): boolean =>
  blocks.some((block) => block.type === 'heading' || hasHeading(block.children ?? []));
