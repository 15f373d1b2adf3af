/** Descriptions of the fields of edit operations. */
import { field, type FieldDescription } from './field.ts';

export const EDIT_OPERATION_FIELDS: Record<string, FieldDescription> = {
  find: field('Text to find.', 'ACME Ltd'),
  replace: field('Text to put in its place.', 'ACME plc'),
  texts: field('Texts to remove.', ['Ada Lovelace']),
  patterns: field('Regular expressions whose matches are removed.', [String.raw`\d{3}-\d{2}-\d{4}`]),
  before: field('Page before which the pages are put; by default the end.', 1),
  'ReorderPagesEditOperation.order': field('Numbers of all pages in their new order.', [2, 1, 3]),
  cell: field('Address of the cell.', 'B7'),
  colour: field('Colour in hexadecimal.', '#cc0000'),
  opacity: field('Opacity of the text, 0.01 to 1.', 0.5),
  pages: field('Pages, from 1.', '1-3,5'),
  'AppendFilesEditOperation.files': field('Names of files.', ['annex.pdf']),
  ranges: field('Ranges of pages.', ['1-3', '4-']),
  every: field('Number of pages in each output.', 10),
  size: field('Size in points.', 12),
  rotation: field('Rotation in degrees, counter-clockwise.', 45),
  pattern: field('Regular expression.', String.raw`\d{3}-\d{4}`),
  sheet: field('Name of the sheet.', 'Budget'),
  formula: field('Formula.', '=SUM(B2:B6)'),
  x: field('Horizontal place, 0 to 1 from the left.', 0.5),
  y: field('Vertical place, 0 to 1 from the top.', 0.95),
};
