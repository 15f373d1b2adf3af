/**
 * Reads formatted disk pages (FKP): 512-byte pages with the properties of runs and paragraphs by file position. A table
 * lists the pages in order.
 */
import type { FileInformation, TableLocation } from './file-information.ts';
import type { Property } from './properties.ts';
import { readModernProperties, readOldProperties } from './properties.ts';

const PAGE_BYTES = 512;

export interface PropertyRun {
  start: number;
  end: number;
  /** Style number of a paragraph. */
  style: number;
  properties: Property[];
}

export function readParagraphRuns(information: FileInformation): PropertyRun[] {
  const entryBytes = information.modern ? 13 : 7;
  return readRuns(information, information.locations.paragraphRuns, entryBytes, (page, offset) => {
    const words = page.readUInt8(offset);
    // Modern pages store the size in words minus a byte, or use a second byte for longer lists.
    const start = information.modern && words === 0 ? offset + 2 : offset + 1;
    const size = information.modern ? (words === 0 ? page.readUInt8(offset + 1) * 2 : words * 2 - 1) : words * 2;
    const end = Math.min(PAGE_BYTES, start + size);
    if (end < start + 2) return { style: 0, properties: [] };
    const properties = information.modern ? readModernProperties : readOldProperties;
    return { style: page.readUInt16LE(start), properties: [...properties(page, start + 2, end)] };
  });
}

/** Returns the character runs of modern files, which mark hidden and deleted text. */
export function readCharacterRuns(information: FileInformation): PropertyRun[] {
  if (!information.modern) return [];
  return readRuns(information, information.locations.characterRuns, 1, (page, offset) => {
    const end = Math.min(PAGE_BYTES, offset + 1 + page.readUInt8(offset));
    return { style: 0, properties: [...readModernProperties(page, offset + 1, end)] };
  });
}

type Described = Pick<PropertyRun, 'style' | 'properties'>;

function readRuns(
  information: FileInformation,
  location: TableLocation,
  entryBytes: number,
  describe: (page: Buffer, offset: number) => Described,
): PropertyRun[] {
  const runs: PropertyRun[] = [];
  for (const pageNumber of pageNumbers(information, location)) {
    const page = information.document.subarray(pageNumber * PAGE_BYTES, (pageNumber + 1) * PAGE_BYTES);
    if (page.length < PAGE_BYTES) continue;
    const count = page.readUInt8(PAGE_BYTES - 1);
    if (count * (4 + entryBytes) + 4 > PAGE_BYTES) continue;
    for (let index = 0; index < count; index += 1) {
      const offset = page.readUInt8((count + 1) * 4 + index * entryBytes) * 2;
      const described = offset === 0 ? { style: 0, properties: [] } : describe(page, offset);
      runs.push({ start: page.readUInt32LE(index * 4), end: page.readUInt32LE(index * 4 + 4), ...described });
    }
  }
  return runs.toSorted((a, b) => a.start - b.start);
}

function pageNumbers({ tables, document, modern }: FileInformation, location: TableLocation): number[] {
  const bytes = modern ? 4 : 2;
  const count = Math.floor((location.length - 4) / (4 + bytes));
  const first = location.offset + (count + 1) * 4;
  const numbers = new Set<number>();
  for (let index = 0; index < count; index += 1) {
    const position = first + index * bytes;
    if (position + bytes > tables.length) break;
    const number = modern ? tables.readUInt32LE(position) & 0x3fffff : tables.readUInt16LE(position);
    if ((number + 1) * PAGE_BYTES <= document.length) numbers.add(number);
  }
  return [...numbers];
}

/** Returns the run at a file position. */
export function runAt(runs: readonly PropertyRun[], position: number): PropertyRun | undefined {
  let low = 0;
  let high = runs.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((runs[middle]?.start ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  const run = runs[low];
  return run && run.start <= position && position < run.end ? run : undefined;
}
