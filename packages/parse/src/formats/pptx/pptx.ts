/**
 * Reads PowerPoint presentations (pptx): one page per slide with its text, tables, charts, diagrams, pictures and
 * notes.
 */
import type { BlockDraft, ParsedContent } from '@quire/blocks/block';
import { ContentError } from '@quire/blocks/content-error';
import { contentWarning, type ContentWarning } from '@quire/blocks/content-warning';
import type { FormatReader, ParseContext } from '../../parser.ts';
import { readCoreTitle } from '../../office/package/core-properties.ts';
import { OfficePackage } from '../../office/package/office-package.ts';
import { needsRecognition, withPictures, type ShownPicture } from '../../office/pictures/shown-pictures.ts';
import { SlideTemplate } from './placeholders.ts';
import { SlideReader } from './slide.ts';
import type { SlideSize } from './slide.ts';
import { attribute, child, childrenNamed, integerAttribute } from '../../office/xml/xml-element.ts';
import type { XmlElement } from '../../office/xml/xml-element.ts';

export const reader: FormatReader = {
  parse: (file, context) => OfficePackage.use(file, context, (source) => readSlides(source, context)),
};

/** Default slide size, 10 by 7.5 inches, in EMU. */
const DEFAULT_SIZE: SlideSize = { width: 9_144_000, height: 6_858_000 };

async function readSlides(officePackage: OfficePackage, context: ParseContext): Promise<ParsedContent> {
  const mainPart = officePackage.relatedPart('', 'officeDocument') ?? 'ppt/presentation.xml';
  if (!officePackage.has(mainPart))
    throw new ContentError('corrupt', 'The file is damaged: it contains no presentation');
  const root = officePackage.tree(mainPart);
  const slideParts = childrenNamed(child(root, 'p:sldIdLst'), 'p:sldId').map((slide) =>
    slidePart(officePackage, mainPart, attribute(slide, 'r:id')),
  );
  const size = slideSize(child(root, 'p:sldSz'));
  const templates = new Map<string, XmlElement | undefined>();
  const blocks: BlockDraft[] = [];
  const warnings: ContentWarning[] = [];
  const pictures: ShownPicture[] = [];
  slideParts.forEach((part, index) => {
    if (part === undefined) {
      warnings.push(contentWarning('truncated', 'Slides are missing from the file', [index + 1]));
      return;
    }
    const template = new SlideTemplate(officePackage, part, templates);
    const slide = new SlideReader(officePackage, part, template);
    const shown = slide.read(index + 1, size);
    blocks.push(...shown);
    if (needsRecognition(context, shown)) pictures.push(...slide.pictures(index + 1, size));
    context.onProgress((index + 1) / slideParts.length);
  });
  const read = await withPictures(blocks, pictures, (name) => officePackage.bytes(name), context);
  return {
    blocks: read.blocks,
    pageCount: slideParts.length,
    title: readCoreTitle(officePackage),
    warnings: [...warnings, ...read.warnings],
  };
}

function slidePart(officePackage: OfficePackage, mainPart: string, id: string | undefined): string | undefined {
  const target = officePackage.relationships(mainPart).find((each) => each.id === id && !each.external)?.target;
  return target !== undefined && officePackage.has(target) ? target : undefined;
}

function slideSize(element: XmlElement | undefined): SlideSize {
  const width = integerAttribute(element, 'cx') ?? 0;
  const height = integerAttribute(element, 'cy') ?? 0;
  return width > 0 && height > 0 ? { width, height } : DEFAULT_SIZE;
}
