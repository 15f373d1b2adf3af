/** Schemas of fields that several resources share. */
import { z } from 'zod';

export const id = z.uuid();
export const timestamp = z.iso.datetime();
export const nullableTimestamp = timestamp.nullable();
export const jsonObjectShape = z.record(z.string(), z.unknown());

export const boundingBox = z
  .tuple([z.number(), z.number(), z.number(), z.number()])
  .describe('Box as [x0, y0, x1, y1], 0 to 1 from the top left corner of the page');

export const pageBox = z.object({ page: z.int(), bbox: boundingBox });

export const blockRange = z.object({
  blockId: z.string(),
  start: z.int().optional(),
  end: z.int().optional(),
});

export const iso = (date: Date): string => date.toISOString();
export const isoOrNull = (date: Date | null): string | null => date?.toISOString() ?? null;
