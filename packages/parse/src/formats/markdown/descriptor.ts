import { LIGHT_COST, type FormatDescriptor } from '../../format-descriptor.ts';

export const markdown: FormatDescriptor = {
  family: 'text',
  contentType: 'text/markdown',
  aliases: ['text/x-markdown'],
  extensions: ['md', 'markdown'],
  signature: {},
  structure: null,
  reader: () => import('./markdown.ts'),
  thumbnail: 'blocks',
  pages: null,
  cost: LIGHT_COST,
};
