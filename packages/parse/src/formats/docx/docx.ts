/**
 * Reads Word documents (docx): styles, numbering, tables with spans, text boxes, notes, comments, equations, charts and
 * pictures, with tracked changes accepted. The body is streamed after styles and numbering are read as trees.
 */
import type { BlockDraft, ParsedContent } from '@quire/blocks/block';
import { ContentError } from '@quire/blocks/content-error';
import { contentWarning, type ContentWarning } from '@quire/blocks/content-warning';
import type { FormatReader, ParseContext } from '../../parser.ts';
import { plainText } from '../../office/build/plain-text.ts';
import { nestBelowTitle } from '../../office/build/document-title.ts';
import { BodyReader } from './body-reader.ts';
import { DocxContext } from './docx-context.ts';
import { Notes } from './notes.ts';
import type { PendingNote } from './notes.ts';
import { readNumbering } from './numbering.ts';
import { Styles } from './styles.ts';
import { readCoreTitle } from '../../office/package/core-properties.ts';
import { OfficePackage } from '../../office/package/office-package.ts';
import { needsRecognition, withPictures } from '../../office/pictures/shown-pictures.ts';
import { childElements } from '../../office/xml/xml-element.ts';

export const reader: FormatReader = {
  parse: (file, context) => OfficePackage.use(file, context, (source) => readDocument(source, context)),
};

async function readDocument(officePackage: OfficePackage, parseContext: ParseContext): Promise<ParsedContent> {
  const mainPart = officePackage.relatedPart('', 'officeDocument') ?? 'word/document.xml';
  if (!officePackage.has(mainPart)) throw new ContentError('corrupt', 'The file is damaged: it contains no document');
  const context = openContext(officePackage, mainPart);
  const bodyReader = new BodyReader(context);
  officePackage.parse(mainPart, bodyReader);
  const warnings: ContentWarning[] = [];
  let body = withNotes(bodyReader.blocks, context);
  if (body.length === 0) body = headerBlocks(context);
  if (officePackage.relationships(mainPart).some((each) => each.type === 'aFChunk')) {
    warnings.push(contentWarning('truncated', 'A document embedded in another format (altChunk) was left out'));
  }
  if (needsRecognition(parseContext, body)) {
    const pictures = context.pictures.map((name) => ({ name }));
    const read = await withPictures(body, pictures, (name) => officePackage.bytes(name), parseContext);
    warnings.push(...read.warnings);
    body = read.blocks;
  }
  const { blocks, title } = nestBelowTitle(body);
  return { blocks, pageCount: null, title: readCoreTitle(officePackage) ?? title, warnings };
}

/** Matches table styles and Word's list of style names: nine tenths of most style sheets, with no effect on content. */
const UNREAD_STYLES =
  /<w:style [^>]*w:type="table"[^>]*>[\s\S]*?<\/w:style>|<w:latentStyles[\s\S]*?<\/w:latentStyles>/g;

function openContext(officePackage: OfficePackage, mainPart: string): DocxContext {
  const related = (type: string): string | undefined => officePackage.relatedPart(mainPart, type);
  const notes = new Notes();
  for (const [kind, type] of [
    ['footnote', 'footnotes'],
    ['endnote', 'endnotes'],
    ['comment', 'comments'],
  ] as const) {
    const tree = officePackage.optionalTree(related(type));
    if (tree) notes.load(kind, childElements(tree));
  }
  return new DocxContext(
    officePackage,
    mainPart,
    new Styles(officePackage.optionalTree(related('styles'), { strip: UNREAD_STYLES })),
    readNumbering(officePackage.optionalTree(related('numbering'))),
    notes,
  );
}

/** Appends footnotes and endnotes to the body, then comments. */
function withNotes(body: readonly BlockDraft[], context: DocxContext): BlockDraft[] {
  const parts = { footnote: 'footnotes', endnote: 'endnotes', comment: 'comments' } as const;
  const toBlock = (note: PendingNote): BlockDraft[] => {
    const partName = context.officePackage.relatedPart(context.partName, parts[note.kind]) ?? '';
    const text = plainText(BodyReader.readTree(context.forPart(partName), note.element));
    if (text === '') return [];
    const lead = note.kind === 'comment' ? `Comment${note.mark === '' ? '' : ` (${note.mark})`}:` : `[${note.mark}]`;
    return [{ type: 'footnote', text: `${lead} ${text}` }];
  };
  return [...body, ...context.notes.takePending().flatMap(toBlock), ...context.notes.takeComments().flatMap(toBlock)];
}

/** Returns headers and footers. They repeat on each page, so they are used only if the document has no other text. */
function headerBlocks(context: DocxContext): BlockDraft[] {
  return context.officePackage
    .relationships(context.partName)
    .filter((each) => (each.type === 'header' || each.type === 'footer') && context.officePackage.has(each.target))
    .flatMap((each) => {
      const bodyReader = new BodyReader(context.forPart(each.target));
      context.officePackage.parse(each.target, bodyReader);
      return bodyReader.blocks;
    });
}
