/** Reads the list definitions (PlfLst, PlfLfo) of modern Word files for `Numbering`. */
import { Numbering } from '../../office/build/numbering.ts';
import type { NumberInstance, NumberLevel } from '../../office/build/numbering.ts';
import type { FileInformation } from './file-information.ts';

const LIST_BYTES = 28;
const LEVEL_BYTES = 28;
const OVERRIDE_BYTES = 16;
const LEVELS = 9;
/** Number formats (nfc) of [MS-OSHARED] 2.2.1.3 as names of `formatNumber`. */
const FORMATS: Readonly<Record<number, string>> = {
  0: 'decimal',
  1: 'upperRoman',
  2: 'lowerRoman',
  3: 'upperLetter',
  4: 'lowerLetter',
  5: 'ordinal',
  10: 'chineseCounting',
  11: 'chineseCounting',
  18: 'decimalEnclosedCircle',
  22: 'decimalZero',
  23: 'bullet',
  37: 'chineseCounting',
  255: 'none',
};

export function readLists(information: FileInformation): Numbering {
  const { tables, locations } = information;
  const abstracts = new Map<string, Map<number, NumberLevel>>();
  const { offset, length } = locations.lists;
  if (length < 2 || offset + length > tables.length) return new Numbering(new Map(), new Map());
  const count = tables.readUInt16LE(offset);
  // The levels of all lists follow the table of lists.
  let position = offset + length;
  for (let index = 0; index < count; index += 1) {
    const list = offset + 2 + index * LIST_BYTES;
    if (list + LIST_BYTES > tables.length) break;
    const simple = (tables.readUInt8(list + 26) & 1) !== 0;
    const levels = new Map<number, NumberLevel>();
    for (let level = 0; level < (simple ? 1 : LEVELS); level += 1) {
      const read = readLevel(tables, position);
      if (!read) break;
      levels.set(level, read.level);
      position = read.end;
    }
    abstracts.set(String(tables.readUInt32LE(list)), levels);
  }
  return new Numbering(abstracts, readInstances(information));
}

function readLevel(tables: Buffer, position: number): { level: NumberLevel; end: number } | undefined {
  if (position + LEVEL_BYTES + 2 > tables.length) return undefined;
  const textAt = position + LEVEL_BYTES + tables.readUInt8(position + 24) + tables.readUInt8(position + 25);
  if (textAt + 2 > tables.length) return undefined;
  const characters = tables.readUInt16LE(textAt);
  const end = textAt + 2 + characters * 2;
  // Characters 0 to 8 are placeholders for the numbers of the levels.
  const text = tables
    .subarray(textAt + 2, end)
    .toString('utf16le')
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008]/g, (mark) => `%${mark.charCodeAt(0) + 1}`);
  const format = FORMATS[tables.readUInt8(position + 4)] ?? 'decimal';
  const legal = (tables.readUInt8(position + 5) & 4) !== 0;
  return { level: { format, text, start: tables.readInt32LE(position), legal, restart: undefined }, end };
}

function readInstances({ tables, locations }: FileInformation): Map<string, NumberInstance> {
  const instances = new Map<string, NumberInstance>();
  const { offset, length } = locations.listOverrides;
  if (length < 4 || offset + length > tables.length) return instances;
  const count = tables.readUInt32LE(offset);
  for (let index = 0; index < count; index += 1) {
    const position = offset + 4 + index * OVERRIDE_BYTES;
    if (position + OVERRIDE_BYTES > tables.length) break;
    instances.set(String(index + 1), {
      abstractId: String(tables.readUInt32LE(position)),
      overrides: new Map(),
      startOverrides: new Map(),
    });
  }
  return instances;
}
