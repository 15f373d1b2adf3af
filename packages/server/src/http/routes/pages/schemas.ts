import { INPUT_LIMITS } from '@quire/shared/input-limits';
import { z } from 'zod';
import type { BoundingBox } from '@quire/blocks/block';
import { field, optional, queryFlag, queryInteger, queryRepeated } from '../../../validation/fields.ts';
import { valueProblem } from '../../../validation/problem.ts';

export const DEFAULT_WIDTH = 1200;

/** A box in the query, `x0,y0,x1,y1`. */
const queryBox = field<BoundingBox>(
  (value) => {
    const edges = typeof value === 'string' ? value.split(',').map(readEdge) : [];
    const [x0, y0, x1, y1] = edges;
    const complete = edges.length === 4 && x0 !== undefined && y0 !== undefined && x1 !== undefined && y1 !== undefined;
    if (complete && x0 >= 0 && y0 >= 0 && x0 < x1 && y0 < y1 && x1 <= 1 && y1 <= 1) return { value: [x0, y0, x1, y1] };
    return valueProblem('a box is x0,y0,x1,y1 with 0 <= x0 < x1 <= 1 and 0 <= y0 < y1 <= 1');
  },
  { type: 'string' },
);

const readEdge = (text: string): number | undefined =>
  /^\s*(?:\d+(?:\.\d+)?|\.\d+)\s*$/.test(text) ? Number(text) : undefined;

export const pictureQuery = z.object({
  width: queryInteger({ ge: 400, le: 2000 })
    .describe('Width of the whole page in pixels; a crop is cut out of it. Images are not enlarged')
    .default(DEFAULT_WIDTH),
  box: optional(
    queryRepeated(queryBox, INPUT_LIMITS.pageBoxes.max).describe(
      'Box `x0,y0,x1,y1` in 0 to 1 from the top left corner of the page, as in `boxes` of citations; may be repeated',
    ),
  ),
  mark: optional(
    queryFlag().describe('Whether to mark the boxes on the whole page; otherwise the picture is cropped to their area'),
  ),
});

export const pageSizeShape = z
  .object({ page: z.int(), width: z.number(), height: z.number() })
  .meta({ id: 'PageSize' });

export const pagesShape = z.array(pageSizeShape);
