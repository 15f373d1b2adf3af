/**
 * Reads raster images: text by OCR, page by page for TIFF, the first frame of animations. An image without recognisable
 * text becomes one figure block with its name, size and EXIF, so that search finds it by them.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import type { BlockDraft, ParsedContent } from '@quire/blocks/block';
import { ContentError } from '@quire/blocks/content-error';
import { contentWarning } from '@quire/blocks/content-warning';
import { ocrRequest, recognisePicture } from '../../ocr/ocr.ts';
import { PageWarnings } from '../../ocr/page-warnings.ts';
import { recognisedPage } from '../../ocr/words/recognised-page.ts';
import { layOutDocument } from '../../layout/document-layout.ts';
import type { PageContent } from '../../layout/page/page-content.ts';
import type { FormatReader, ParseContext, SourceFile } from '../../parser.ts';
import { drawPicture } from '../../thumbnail/draw-picture.ts';
import { readExif } from './exif.ts';
import { MAX_PAGES, openRaster, rasterPage } from './raster.ts';
import type { Raster, RasterPage } from './raster.ts';
import { corruptImage } from './raw-picture.ts';

/** Minimum side length for OCR, in pixels. Letters need 8 pixels; icons and bullets contain none. */
const MIN_TEXT_SIDE = 14;

export const reader: FormatReader = { parse: parseImage, thumbnail: drawThumbnail };

async function parseImage(file: SourceFile, context: ParseContext): Promise<ParsedContent> {
  const raster = await openRaster(await readFile(file.path), file.format, context.options.maxPixels);
  const pages = Math.min(raster.pages, MAX_PAGES);
  const warnings = new PageWarnings(context.options.ocrLanguages);
  if (pages < raster.pages) {
    warnings.add(contentWarning('truncated', `Only the first ${MAX_PAGES} of ${raster.pages} pages were read`));
  }
  const contents: PageContent[] = [];
  const failures: ContentError[] = [];
  for (let page = 0; page < pages; page += 1) {
    context.signal.throwIfAborted();
    try {
      const content = await readPage(raster, page, context);
      if (content !== undefined) contents.push(content);
      const hasText = content !== undefined && content.words.length > 0;
      if (content?.recognition !== undefined) warnings.addRecognition(content.recognition, hasText, [page + 1]);
      if (!hasText) warnings.addWithoutText(page + 1);
    } catch (error) {
      if (!(error instanceof ContentError)) throw error;
      failures.push(error);
      if (failures.length === pages) throw failures[0] ?? error;
      warnings.add(contentWarning('truncated', `A page was left out: ${error.message}`, [page + 1]));
    }
    context.onProgress((page + 1) / pages);
  }
  const layout = { signal: context.signal, onProgress: () => undefined, outline: [] };
  const blocks = layOutDocument(contents, new Map(), layout);
  const content = { pageCount: pages, title: null, warnings: warnings.finish() };
  // Text that exists but cannot be read is a failure, so no description takes its place.
  if (blocks.length > 0 || contents.some(({ recognition }) => recognition?.foreignScript !== undefined)) {
    return { ...content, blocks };
  }
  return { ...content, blocks: [describePicture(file, raster)], isDescription: true };
}

async function readPage(raster: Raster, page: number, context: ParseContext): Promise<PageContent | undefined> {
  const { options } = context;
  const { width, height, ...frame } = await rasterPage(raster, page, options.maxPixels);
  if (options.ocr === 'never' || Math.min(width, height) < MIN_TEXT_SIDE) {
    await decodeOnce(frame);
    return undefined;
  }
  const picture = await recognisePicture({ ...frame, whole: raster.pages > 1 }, ocrRequest(context));
  return recognisedPage(picture, page + 1);
}

/** Decodes an image that is not sent to OCR, so that damage is reported. */
async function decodeOnce({ data, page }: Pick<RasterPage, 'data' | 'page'>): Promise<void> {
  try {
    await sharp(data, { page, failOn: 'truncated', limitInputPixels: false }).stats();
  } catch (error) {
    throw corruptImage(error);
  }
}

const FORMAT_NAMES: Readonly<Record<string, string>> = { jpg: 'JPEG', ico: 'icon', apng: 'PNG', webp: 'WebP' };

function describePicture(file: SourceFile, { metadata, pages }: Raster): BlockDraft {
  const { width, height } = metadata.autoOrient;
  const kind = FORMAT_NAMES[file.format] ?? file.format.toUpperCase();
  const size = `${kind} image, ${width} × ${height} pixels${pages > 1 ? `, ${pages} pages` : ''}`;
  const fields = metadata.exif === undefined ? [] : readExif(metadata.exif);
  const lines = [path.basename(file.name), size, ...fields.map(({ label, value }) => `${label}: ${value}`)];
  return { type: 'figure', text: lines.join('\n'), page: 1, bbox: [0, 0, 1, 1] };
}

async function drawThumbnail(file: SourceFile, context: ParseContext, maxSide: number): Promise<Buffer> {
  const { maxPixels } = context.options;
  const { data, page } = await rasterPage(
    await openRaster(await readFile(file.path), file.format, maxPixels),
    0,
    maxPixels,
  );
  try {
    return await drawPicture(data, maxSide, page);
  } catch (error) {
    throw corruptImage(error);
  }
}
