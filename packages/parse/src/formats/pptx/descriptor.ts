import { LIGHT_COST, type FormatDescriptor } from '../../format-descriptor.ts';

/** Presentations, slide shows, templates, add-ins and their macro variants. */
const MAIN_PART =
  /presentationml\.(presentation|slideshow|template)\.main\+xml|ms-powerpoint\.(presentation|slideshow|template|addin)\.macroEnabled\.main\+xml/i;

export const pptx: FormatDescriptor = {
  family: 'slides',
  contentType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  aliases: [],
  extensions: ['pptx'],
  signature: { mainPart: MAIN_PART },
  structure: null,
  reader: () => import('./pptx.ts'),
  thumbnail: 'office',
  pages: null,
  cost: LIGHT_COST,
};
