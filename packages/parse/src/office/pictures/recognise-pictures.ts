/** Runs OCR on the pictures of an office file, with the layout analysis for scanned pages. */
import type { BlockDraft, BoundingBox, TableCell } from '@quire/blocks/block';
import { ContentError } from '@quire/blocks/content-error';
import { contentWarning, type ContentWarning } from '@quire/blocks/content-warning';
import { measurePage, openRaster, rasterPage } from '../../formats/image/raster.ts';
import { layOutDocument } from '../../layout/document-layout.ts';
import type { PageContent } from '../../layout/page/page-content.ts';
import { ocrRequest, recognisePicture } from '../../ocr/ocr.ts';
import { PageWarnings } from '../../ocr/page-warnings.ts';
import { recognisedPage } from '../../ocr/words/recognised-page.ts';
import type { ParseContext } from '../../parser.ts';
import type { ShownPicture } from './shown-pictures.ts';

export interface ReadBlock {
  picture: ShownPicture;
  block: BlockDraft;
}

/**
 * Maximum number of pictures. Each takes about a second, so that a presentation of scans stays within the parse
 * deadline.
 */
const MAX_PICTURES = 100;
/** Minimum side length in pixels; smaller pictures are bullets, rules and logos. */
const MIN_SIDE = 48;

/**
 * Returns the text of the pictures in order. Pictures that cannot be decoded (metafiles, damaged files) are skipped.
 */
export async function recognisePictures(
  pictures: readonly ShownPicture[],
  load: (name: string) => Buffer,
  context: ParseContext,
): Promise<{ read: ReadBlock[]; warnings: ContentWarning[] }> {
  const unique = [...new Map(pictures.toReversed().map((picture) => [picture.name, picture])).values()].toReversed();
  const wanted = unique.slice(0, MAX_PICTURES);
  const warnings = new PageWarnings(context.options.ocrLanguages);
  if (wanted.length < unique.length) {
    warnings.add(contentWarning('truncated', `Only the first ${MAX_PICTURES} of ${unique.length} pictures were read`));
  }
  const pages: PageContent[] = [];
  for (const [index, picture] of wanted.entries()) {
    context.signal.throwIfAborted();
    const page = await readPicture(picture, index + 1, load(picture.name), context, warnings);
    const hasText = page !== undefined && page.words.length > 0;
    if (hasText) pages.push(page);
    if (page?.recognition !== undefined) warnings.addRecognition(page.recognition, hasText, pageOf(picture));
    context.onProgress((index + 1) / wanted.length);
  }
  const layout = { signal: context.signal, onProgress: () => undefined, outline: [] };
  const read = layOutDocument(pages, new Map(), layout).flatMap((block) => {
    const picture = wanted[(block.page ?? 1) - 1];
    if (block.type === 'pageBreak' || picture === undefined) return [];
    return [{ picture, block: placed(block, picture) }];
  });
  return { read, warnings: warnings.finish() };
}

async function readPicture(
  picture: ShownPicture,
  number: number,
  bytes: Buffer,
  context: ParseContext,
  warnings: PageWarnings,
): Promise<PageContent | undefined> {
  const { maxPixels } = context.options;
  try {
    const raster = await openRaster(bytes, isBitmap(bytes) ? 'bmp' : 'png', maxPixels);
    const { width, height } = await measurePage(raster, 0, maxPixels);
    if (Math.min(width, height) < MIN_SIDE) return undefined;
    const frame = await rasterPage(raster, 0, maxPixels);
    return recognisedPage(await recognisePicture(frame, ocrRequest(context)), number);
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    if (error.type === 'unsupported') {
      const message = `A picture could not be recognised: ${error.message}`;
      warnings.add(contentWarning('ocr_language_missing', message, pageOf(picture)));
    }
    return undefined;
  }
}

const pageOf = ({ page }: ShownPicture): number[] => (page === undefined ? [] : [page]);

const isBitmap = (bytes: Buffer): boolean => bytes[0] === 0x42 && bytes[1] === 0x4d;

/** Returns the block with the page of the picture and a bounding box relative to that page. */
function placed(draft: BlockDraft, picture: ShownPicture): BlockDraft {
  const { page: _page, bbox, children, lines, rows, ...block } = draft;
  const { page, frame } = picture;
  const place = page === undefined || frame === undefined ? undefined : { page, frame };
  return {
    ...block,
    ...(lines === undefined || place === undefined
      ? {}
      : { lines: lines.map((line) => ({ ...line, page: place.page, box: within(place.frame, line.box) })) }),
    ...(rows === undefined ? {} : { rows: rows.map((row) => row.map((cell) => placedCell(cell, place))) }),
    ...(page === undefined ? {} : { page }),
    ...(page === undefined || frame === undefined ? {} : { bbox: within(frame, bbox ?? [0, 0, 1, 1]) }),
    ...(children === undefined ? {} : { children: children.map((child) => placed(child, picture)) }),
  };
}

function placedCell(
  { page: _page, box, ...cell }: TableCell,
  place: { page: number; frame: BoundingBox } | undefined,
): TableCell {
  if (box === undefined || place === undefined) return cell;
  return { ...cell, page: place.page, box: within(place.frame, box) };
}

function within([left, top, right, bottom]: BoundingBox, [x0, y0, x1, y1]: BoundingBox): BoundingBox {
  const at = (from: number, to: number, share: number): number => Math.round((from + (to - from) * share) * 1e4) / 1e4;
  return [at(left, right, x0), at(top, bottom, y0), at(left, right, x1), at(top, bottom, y1)];
}
