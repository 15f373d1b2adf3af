import { LIGHT_COST, type FormatDescriptor } from '../../format-descriptor.ts';
import { startsWith } from '../../validate/file-probe.ts';

/** Many `.doc` files are RTF, so it is accepted under such a name; it has no extension of its own. */
export const rtf: FormatDescriptor = {
  family: 'word',
  contentType: 'application/rtf',
  aliases: ['text/rtf'],
  extensions: [],
  signature: { bytes: (head) => startsWith(head, '{\\rtf') },
  structure: null,
  reader: () => import('./rtf.ts'),
  thumbnail: 'office',
  pages: null,
  cost: LIGHT_COST,
};
