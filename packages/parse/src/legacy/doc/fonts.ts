import type { FileInformation } from './file-information.ts';

/** Size of the fixed part of a font description ([MS-DOC] FFN) before its name. */
const NAME_OFFSET = 39;

/** Returns font names by number, which identify symbol fonts. */
export function readFontNames({ tables, modern, locations }: FileInformation): string[] {
  const { offset, length } = locations.fonts;
  const names: string[] = [];
  if (!modern || length < 4 || offset + length > tables.length) return names;
  const count = tables.readUInt16LE(offset);
  let position = offset + 4;
  for (let index = 0; index < count && position < offset + length; index += 1) {
    const size = tables.readUInt8(position);
    const name = tables.subarray(position + 1 + NAME_OFFSET, position + 1 + size).toString('utf16le');
    names.push(name.split('\0')[0] ?? '');
    position += 1 + size;
  }
  return names;
}
