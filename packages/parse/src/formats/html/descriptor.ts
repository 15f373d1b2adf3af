import { LIGHT_COST, type FormatDescriptor } from '../../format-descriptor.ts';
import { looksLikeHtml } from '../../validate/text-content.ts';

export const html: FormatDescriptor = {
  family: 'text',
  contentType: 'text/html',
  aliases: ['application/xhtml+xml'],
  extensions: ['html', 'htm'],
  signature: { text: looksLikeHtml },
  structure: null,
  reader: () => import('./html.ts'),
  thumbnail: 'blocks',
  pages: null,
  cost: LIGHT_COST,
};
