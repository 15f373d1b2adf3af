import { LIGHT_COST, type FormatDescriptor } from '../../format-descriptor.ts';
import { rootElement } from '../../validate/text-content.ts';

export const svg: FormatDescriptor = {
  family: 'image',
  contentType: 'image/svg+xml',
  aliases: [],
  extensions: ['svg'],
  signature: { text: (start) => rootElement(start) === 'svg' },
  structure: null,
  reader: () => import('./svg.ts'),
  thumbnail: 'reader',
  pages: null,
  cost: LIGHT_COST,
};
