import { LIGHT_COST, type FormatDescriptor } from '../../format-descriptor.ts';

export const csv: FormatDescriptor = {
  family: 'text',
  contentType: 'text/csv',
  aliases: ['application/csv', 'text/comma-separated-values', 'text/tab-separated-values'],
  extensions: ['csv', 'tsv'],
  signature: {},
  structure: null,
  reader: () => import('./csv.ts'),
  thumbnail: 'blocks',
  pages: null,
  cost: LIGHT_COST,
};
