/**
 * The Mistral OCR API: `POST {baseUrl}/ocr`. With `include_blocks`, a page is a list of blocks with boxes (models since
 * OCR 4); without it, Markdown with the boxes of its images.
 */
import { z } from 'zod';
import type { BlockType, BoundingBox } from '@quire/blocks/block';
import type { ReadPart } from '@quire/blocks/page-reading';
import { under } from '../../remote/embedding-protocol.ts';
import type { PageProtocol } from '../../remote/page-protocol.ts';

const BASE_URL = 'https://api.mistral.ai/v1';

const corners = {
  top_left_x: z.number().nullish(),
  top_left_y: z.number().nullish(),
  bottom_right_x: z.number().nullish(),
  bottom_right_y: z.number().nullish(),
};
type Corners = { [Name in keyof typeof corners]?: number | null | undefined };

const answerShape = z.object({
  pages: z
    .array(
      z.object({
        markdown: z.string().nullish(),
        images: z.array(z.object({ id: z.string(), ...corners })).nullish(),
        blocks: z.array(z.object({ type: z.string(), content: z.string().nullish(), ...corners })).nullish(),
        dimensions: z.object({ width: z.number(), height: z.number() }).nullish(),
      }),
    )
    .min(1),
});
type Page = z.output<typeof answerShape>['pages'][number];

/** Block types by the API's names; null: determined by the Markdown. Other names are paragraphs. */
const TYPES: Readonly<Record<string, BlockType | null>> = {
  title: 'heading',
  list: null,
  table: null,
  code: null,
  equation: 'formula',
  caption: 'caption',
  image: 'figure',
  signature: 'figure',
  text: null,
};
/** Block types that repeat on every page and would disturb search. */
const FURNITURE = new Set(['header', 'footer']);

export const mistralPages: PageProtocol = {
  defaultModel: 'mistral-ocr-latest',
  request: ({ model, apiKey, baseUrl }, { jpeg }) => ({
    url: under(baseUrl ?? BASE_URL, 'ocr'),
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    body: {
      model,
      document: { type: 'image_url', image_url: `data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}` },
      include_image_base64: false,
      include_blocks: true,
    },
  }),
  read: (answer, picture) => {
    const [page] = answerShape.parse(answer).pages;
    if (page === undefined) return { parts: [] };
    const { width, height } = page.dimensions ?? picture;
    const boxOf = (place: Corners): BoundingBox | null => boundingBox(place, width, height);
    return { parts: page.blocks ? fromBlocks(page.blocks, boxOf) : fromMarkdown(page, boxOf) };
  },
};

type BoxOf = (place: Corners) => BoundingBox | null;

function fromBlocks(blocks: NonNullable<Page['blocks']>, boxOf: BoxOf): ReadPart[] {
  return blocks
    .filter(({ type }) => !FURNITURE.has(type))
    .map((block) => ({ type: TYPES[block.type] ?? null, markdown: block.content ?? '', bbox: boxOf(block) }));
}

/** Splits the Markdown at its images (`![img-0.jpeg](img-0.jpeg)`), which have boxes. */
function fromMarkdown({ markdown, images }: Page, boxOf: BoxOf): ReadPart[] {
  const boxes = new Map((images ?? []).map((image) => [image.id, boxOf(image)]));
  return (markdown ?? '').split(/(!\[[^\]\n]*\]\([^)\s]*\))/).flatMap((text): ReadPart[] => {
    const target = /^!\[[^\]]*\]\(([^)]*)\)$/.exec(text)?.[1];
    const bbox = target === undefined ? undefined : boxes.get(target);
    if (bbox !== undefined) return [{ type: 'figure', markdown: '', bbox }];
    return text.trim() === '' ? [] : [{ type: null, markdown: text, bbox: null }];
  });
}

/** Converts pixels to fractions of the page; null if a value is missing or the box is empty. */
function boundingBox(place: Corners, width: number, height: number): BoundingBox | null {
  const { top_left_x: x0, top_left_y: y0, bottom_right_x: x1, bottom_right_y: y1 } = place;
  if (typeof x0 !== 'number' || typeof y0 !== 'number' || typeof x1 !== 'number' || typeof y1 !== 'number') return null;
  if (width <= 0 || height <= 0 || x1 <= x0 || y1 <= y0) return null;
  const share = (value: number, whole: number): number =>
    Math.round(Math.min(1, Math.max(0, value / whole)) * 1e5) / 1e5;
  return [share(x0, width), share(y0, height), share(x1, width), share(y1, height)];
}
