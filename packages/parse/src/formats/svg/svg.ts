/** Reads SVG drawings: their text from the XML, never by OCR, and a thumbnail drawn from a copy without references. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import type { BlockDraft, ParsedContent } from '@quire/blocks/block';
import { ContentError } from '@quire/blocks/content-error';
import { decodeBytes } from '../../encoding/encoding.ts';
import type { FormatReader, ParseContext, SourceFile } from '../../parser.ts';
import { useShippedFonts } from '../../thumbnail/fonts.ts';
import { readSvg, writeAttributes } from './svg-document.ts';
import type { SvgDocument, SvgText } from './svg-document.ts';

/** Maximum size of a file, in bytes; larger ones are maps or attacks. */
const MAX_BYTES = 64 * 1024 * 1024;

export const reader: FormatReader = { parse: parseSvg, thumbnail: drawThumbnail };

async function parseSvg(file: SourceFile): Promise<ParsedContent> {
  const drawing = await openSvg(file);
  const blocks = drawing.texts.map((part) => toBlock(part));
  if (blocks.length === 0) blocks.push(describeDrawing(file, drawing));
  return { blocks, pageCount: 1, title: drawing.title, warnings: [] };
}

async function openSvg(file: SourceFile): Promise<SvgDocument> {
  if (file.sizeBytes > MAX_BYTES) throw new ContentError('too_large', 'The SVG is larger than 64 MiB');
  return readSvg(decodeBytes(await readFile(file.path)));
}

function toBlock({ kind, text }: SvgText): BlockDraft {
  if (kind === 'title') return { type: 'heading', level: 2, text, page: 1 };
  return { type: 'paragraph', text, page: 1 };
}

function describeDrawing(file: SourceFile, { width, height }: SvgDocument): BlockDraft {
  const size = width === null || height === null ? '' : `, ${Math.round(width)} × ${Math.round(height)}`;
  return { type: 'figure', text: `${path.basename(file.name)}\nSVG drawing${size}`, page: 1, bbox: [0, 0, 1, 1] };
}

/** Default size of browsers for a drawing without a size. */
const DEFAULT_WIDTH = 300;
const DEFAULT_HEIGHT = 150;

async function drawThumbnail(file: SourceFile, context: ParseContext, maxSide: number): Promise<Buffer> {
  const drawing = await openSvg(file);
  await useShippedFonts(context.tempDir);
  const width = drawing.width ?? DEFAULT_WIDTH;
  const height = drawing.height ?? DEFAULT_HEIGHT;
  const scale = maxSide / Math.max(width, height);
  const attributes = new Map(drawing.root);
  attributes.set('width', String(Math.max(1, Math.round(width * scale))));
  attributes.set('height', String(Math.max(1, Math.round(height * scale))));
  if (!attributes.has('viewBox')) attributes.set('viewBox', `0 0 ${width} ${height}`);
  const xml = `<svg xmlns="http://www.w3.org/2000/svg"${writeAttributes(attributes)}>${drawing.body}</svg>`;
  try {
    return await sharp(Buffer.from(xml)).flatten({ background: '#fff' }).webp({ quality: 78, effort: 2 }).toBuffer();
  } catch (error) {
    throw new ContentError('corrupt', 'The SVG cannot be drawn', { cause: error });
  }
}
