import { LIGHT_COST, type FormatDescriptor } from '../../format-descriptor.ts';

export const txt: FormatDescriptor = {
  family: 'text',
  contentType: 'text/plain',
  aliases: [],
  extensions: ['txt'],
  signature: {},
  structure: null,
  reader: () => import('./text.ts'),
  thumbnail: 'blocks',
  pages: null,
  cost: LIGHT_COST,
};
