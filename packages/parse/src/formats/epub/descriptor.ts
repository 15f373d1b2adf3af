import { LIGHT_COST, type FormatDescriptor } from '../../format-descriptor.ts';

export const epub: FormatDescriptor = {
  family: 'book',
  contentType: 'application/epub+zip',
  aliases: [],
  extensions: ['epub'],
  signature: { mimetypeMember: { contentTypes: ['application/epub+zip'], requiredMember: 'meta-inf/container.xml' } },
  structure: null,
  reader: () => import('./epub.ts'),
  thumbnail: 'blocks',
  pages: null,
  cost: LIGHT_COST,
};
