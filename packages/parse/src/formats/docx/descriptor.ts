import { LIGHT_COST, type FormatDescriptor } from '../../format-descriptor.ts';

/** Documents, templates and their macro variants. */
const MAIN_PART =
  /wordprocessingml\.(document|template)\.main\+xml|ms-word\.(document|template)\.macroEnabled\w*\.main\+xml/i;

export const docx: FormatDescriptor = {
  family: 'word',
  contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  aliases: [],
  extensions: ['docx'],
  signature: { mainPart: MAIN_PART },
  structure: null,
  reader: () => import('./docx.ts'),
  thumbnail: 'office',
  pages: null,
  cost: LIGHT_COST,
};
