import { LIGHT_COST, type FormatDescriptor } from '../../format-descriptor.ts';

/** Versions in the first record (BOF) of Excel 2 to 4 files, which precede compound files. */
const EARLY_VERSIONS = new Set([0x0009, 0x0209, 0x0409]);

/** Four bytes are weak evidence, so the file name must agree. */
function isEarlyExcel(head: Buffer, extension: string): boolean {
  if (extension !== 'xls' || head.length < 12) return false;
  return EARLY_VERSIONS.has(head.readUInt16LE(0)) && head.readUInt16LE(2) <= 16;
}

export const xls: FormatDescriptor = {
  family: 'sheet',
  contentType: 'application/vnd.ms-excel',
  aliases: [],
  extensions: ['xls'],
  signature: { compound: { streams: ['workbook', 'book'] }, bytes: isEarlyExcel },
  structure: null,
  reader: () => import('./xls.ts'),
  thumbnail: 'office',
  pages: null,
  cost: LIGHT_COST,
};
