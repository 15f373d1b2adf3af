import { LIGHT_COST, type FormatDescriptor } from '../../format-descriptor.ts';

/** Bit 8 of the flags in the file information block: encrypted or obfuscated ([MS-DOC] 2.5.2). */
const isEncrypted = (start: Buffer): boolean => start.length >= 12 && (start.readUInt16LE(10) & 0x0100) !== 0;

export const doc: FormatDescriptor = {
  family: 'word',
  contentType: 'application/msword',
  aliases: [],
  extensions: ['doc'],
  signature: { compound: { streams: ['worddocument'], isEncrypted } },
  structure: null,
  reader: () => import('./doc.ts'),
  thumbnail: 'office',
  pages: null,
  cost: LIGHT_COST,
};
