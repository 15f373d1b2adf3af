import { type FormatDescriptor } from '../format-descriptor.ts';

/** Any zip file that no other format claims. Its members are extracted as documents of their own. */
export const zip: FormatDescriptor = {
  family: 'archive',
  contentType: 'application/zip',
  aliases: ['application/x-zip-compressed', 'application/x-zip'],
  extensions: ['zip'],
  signature: {},
  structure: null,
  reader: null,
  thumbnail: 'none',
  pages: null,
  cost: { fixedMs: 5, msPerKilobyte: 0.05 },
};
