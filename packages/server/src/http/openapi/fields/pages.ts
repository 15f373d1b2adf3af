/** Descriptions of the fields of pages and their pictures. */
import { field, type FieldDescription, ID } from './field.ts';

const LINK = `/v1/w/${ID}/col/${ID}/docs/${ID}/pages`;

export const PAGE_FIELDS: Record<string, FieldDescription> = {
  'DocumentLinks.pages': field('Path of the list of pages.', `${LINK}?expires=1777800000&signature=k3J9`),
  'DocumentLinks.page': field(
    'Path of the picture of a page: put its number in place of `{page}`, and add `width`, `box` and `mark`.',
    `${LINK}/{page}?expires=1777800000&signature=k3J9`,
  ),
  blockId: field('Identifier of the block; the HTML rendering has it as `id`.', 'b12'),
  'blocks.start': field('Start of the range in the text of the block; absent for tables.', 0),
  'blocks.end': field('End of the range, exclusive.', 42),
  'highlightBlocks.start': field('Start of the range in the text of the block; absent for tables.', 17),
  'highlightBlocks.end': field('End of the range, exclusive.', 25),
  'getPage query.width': field('', 800),
  'getPage query.box': field('', '0.1,0.2,0.9,0.25'),
  'getRunPage query.width': field('', 800),
  'getRunPage query.box': field('', '0.1,0.2,0.9,0.25'),
  'PageSize.page': field('Number of the page, from 1.', 1),
  'PageSize.width': field('Width of the page as displayed: in points for PDFs, in pixels for images.', 595),
  'PageSize.height': field('Height of the page, in the unit of its width.', 842),
};
