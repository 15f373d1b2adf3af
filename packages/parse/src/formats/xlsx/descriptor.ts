import { LIGHT_COST, type FormatDescriptor } from '../../format-descriptor.ts';

/** Workbooks, templates, add-ins and their macro variants. */
const MAIN_PART =
  /spreadsheetml\.(sheet|template)\.main\+xml|ms-excel\.(sheet|template|addin)\.macroEnabled\.main\+xml/i;

export const xlsx: FormatDescriptor = {
  family: 'sheet',
  contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  aliases: [],
  extensions: ['xlsx'],
  signature: { mainPart: MAIN_PART },
  structure: null,
  reader: () => import('./xlsx.ts'),
  thumbnail: 'office',
  pages: null,
  cost: LIGHT_COST,
};
