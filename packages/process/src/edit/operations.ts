/**
 * The operations of an edit, as clients and models write them: one object each, discriminated by `type`. They are
 * applied in order, each to the result of the one before. `FORMATS_OF` states which formats accept which operation.
 */
import { INPUT_LIMITS } from '@quire/shared/input-limits';
import { z } from 'zod';
import { FORMATS, type Format } from '@quire/parse/formats';
import { compilePattern } from './replace/pattern.ts';
import { isPageRange } from './pdf/page-range.ts';

/** Maximum length of a text in characters: enough for any clause of a contract. */
const MAX_TEXT = INPUT_LIMITS.editText.max;
const MAX_PATTERN = INPUT_LIMITS.editPattern.max;
const MAX_NAME = INPUT_LIMITS.editName.max;
const MAX_OPERATIONS = INPUT_LIMITS.editOperations.max;

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

const isPlain = (text: string): boolean => !CONTROL.test(text) && !/\p{Surrogate}/u.test(text);
const written = z.string().max(MAX_TEXT).refine(isPlain, 'must not hold control characters');
const name = z.string().min(1).max(MAX_NAME).refine(isPlain, 'must not hold control characters');
const searchText = written.min(1).refine((text) => text.trim() !== '', 'must hold more than white space');
const pattern = written
  .min(1)
  .max(MAX_PATTERN)
  .superRefine((source, context) => {
    const problem = compilePattern(source, false);
    if (typeof problem === 'string') context.addIssue({ code: 'custom', message: problem });
  })
  .describe('Regular expression (RE2 syntax: no look-around, no back-references; matching takes linear time)');
const pages = z
  .string()
  .max(MAX_TEXT)
  .refine(isPageRange, 'must be pages from 1, such as "1-3,5,8-"; -1 is the last page')
  .describe('Pages from 1: "2", "1-3,5", "8-" (to the end), "-1" (the last)');
const bbox = z
  .tuple([z.number().min(0).max(1), z.number().min(0).max(1), z.number().min(0).max(1), z.number().min(0).max(1)])
  .refine(([x0, y0, x1, y1]) => x0 < x1 && y0 < y1, 'must be [x0, y0, x1, y1] with x0 < x1 and y0 < y1')
  .describe('[x0, y0, x1, y1] in 0..1 of the page as displayed, from its top left corner');
const colour = z.string().regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #cc0000');
const ignoreCase = z.boolean().describe('Whether upper and lower case count as the same');
const wholeWord = z.boolean().describe('Match only where no letter, digit or underscore is adjacent');

const replaceText = z
  .object({
    type: z.literal('replaceText'),
    find: searchText,
    replace: written,
    ignoreCase: ignoreCase.default(false),
    wholeWord: wholeWord.default(false),
  })
  .strict()
  .describe(
    'docx, pptx, xlsx, odt, ods, odp and text formats. Replaces a text everywhere; the replacement keeps the formatting at the start of the match.',
  );

const replacePattern = z
  .object({
    type: z.literal('replacePattern'),
    pattern,
    replace: written.describe('$1 and ${name} insert groups, $0 the whole match, $$ a dollar sign'),
    ignoreCase: ignoreCase.default(false),
  })
  .strict()
  .describe(
    'docx, pptx, xlsx, odt, ods, odp and text formats. Replaces what a regular expression matches, by paragraph.',
  );

const scalar = z.union([written, z.number(), z.boolean()]);
const fillPlaceholders = z
  .object({
    type: z.literal('fillPlaceholders'),
    values: z
      .record(name, z.union([scalar, z.array(z.record(name, scalar)).max(INPUT_LIMITS.placeholderRows.max)]))
      .describe('By name. A list of objects repeats the table row that holds {{name.field}}, once for each object'),
  })
  .strict()
  .describe('docx, pptx, xlsx, odt, ods, odp and text formats. Replaces {{name}} with values.');

const setCell = z
  .object({
    type: z.literal('setCell'),
    sheet: name.optional().describe('Default: the first sheet'),
    cell: z.string().regex(/^[A-Za-z]{1,3}[1-9][0-9]{0,6}$/, 'must be a cell such as B7'),
    value: z.union([written, z.number(), z.boolean(), z.null()]).optional().describe('null empties the cell'),
    formula: written
      .max(INPUT_LIMITS.cellFormula.max)
      .optional()
      .describe('Formula instead of a value, with or without a leading ='),
  })
  .strict()
  .refine((operation) => (operation.value === undefined) !== (operation.formula === undefined), {
    message: 'give either a value or a formula',
  })
  .describe('xlsx. Writes one cell and keeps its format.');

const redact = z
  .object({
    type: z.literal('redact'),
    texts: z.array(searchText).max(INPUT_LIMITS.redactTexts.max).default([]),
    patterns: z.array(pattern).max(INPUT_LIMITS.redactPatterns.max).default([]),
    boxes: z
      .array(z.object({ page: z.int().min(1), bbox }).strict())
      .max(INPUT_LIMITS.redactBoxes.max)
      .default([]),
    ignoreCase: ignoreCase.default(true),
    wholeWord: wholeWord.default(false).describe('For `texts`'),
  })
  .strict()
  .refine(({ texts, patterns, boxes }) => texts.length + patterns.length + boxes.length > 0, {
    message: 'give at least one of texts, patterns and boxes',
  })
  .describe(
    'pdf. Removes the text from the file and paints black boxes over it; pixels and drawings under a box are removed too. ' +
      'Attachments, XMP metadata and alternative texts of the pages concerned are removed.',
  );

const fillForm = z
  .object({
    type: z.literal('fillForm'),
    fields: z
      .record(name, z.union([written, z.boolean(), z.array(written).max(1000)]))
      .describe('By full name: text, true or false for a checkbox, the option for radio buttons and choices'),
    flatten: z.boolean().default(false).describe('Whether the fields become plain page content'),
  })
  .strict()
  .describe('pdf. Fills in form fields.');

const keepPages = z
  .object({ type: z.literal('keepPages'), pages })
  .strict()
  .describe('pdf. Removes all other pages.');
const removePages = z
  .object({ type: z.literal('removePages'), pages })
  .strict()
  .describe('pdf. Removes pages.');
const movePages = z
  .object({ type: z.literal('movePages'), pages, before: z.int().min(1).optional() })
  .strict()
  .describe(
    'pdf. Moves pages, in the order given, before a page (numbered as before the move); without one to the end.',
  );
const reorderPages = z
  .object({ type: z.literal('reorderPages'), order: z.array(z.int().min(1)).min(1).max(INPUT_LIMITS.pageOrder.max) })
  .strict()
  .describe('pdf. The new order; every page exactly once.');
const rotatePages = z
  .object({
    type: z.literal('rotatePages'),
    pages: pages.optional(),
    degrees: z.union([z.literal(90), z.literal(180), z.literal(270), z.literal(-90)]).describe('Clockwise'),
  })
  .strict()
  .describe('pdf. Rotates pages; all by default.');
const appendFiles = z
  .object({
    type: z.literal('appendFiles'),
    files: z.array(name).min(1).max(100).optional().describe('Names of PDFs of the same run; default: all others'),
  })
  .strict()
  .describe('pdf. Appends the pages of other PDFs of the run.');
const splitPages = z
  .object({
    type: z.literal('splitPages'),
    ranges: z.array(pages).min(1).max(200).optional().describe('One output for each'),
    every: z.int().min(1).optional().describe('Number of pages per output'),
  })
  .strict()
  .refine((operation) => (operation.ranges === undefined) !== (operation.every === undefined), {
    message: 'give either ranges or every',
  })
  .describe('pdf. Splits the document into several files; must be the last operation.');
const stampText = z
  .object({
    type: z.literal('stampText'),
    text: written.min(1).describe('{page} and {pages} are replaced by the page number and the number of pages'),
    pages: pages.optional(),
    position: z
      .union([
        z.enum(['topLeft', 'topCentre', 'topRight', 'centre', 'bottomLeft', 'bottomCentre', 'bottomRight']),
        z.object({ x: z.number().min(0).max(1), y: z.number().min(0).max(1) }).strict(),
      ])
      .default('bottomCentre')
      .describe(
        'A named position, or the centre of the text in 0..1 of the page as displayed, from its top left corner',
      ),
    size: z.number().min(1).max(500).default(12).describe('Points'),
    colour: colour.default('#000000'),
    opacity: z.number().min(0.01).max(1).default(1),
    rotation: z.number().min(-360).max(360).default(0).describe('Degrees, counter-clockwise'),
  })
  .strict()
  .describe('pdf. Writes text on pages; line breaks separate lines.');

export const operation = z
  .discriminatedUnion('type', [
    redact,
    fillForm,
    keepPages,
    removePages,
    movePages,
    reorderPages,
    rotatePages,
    appendFiles,
    splitPages,
    stampText,
    replaceText,
    replacePattern,
    fillPlaceholders,
    setCell,
  ])
  .meta({ id: 'EditOperation' });

export const operations = z.array(operation).min(1).max(MAX_OPERATIONS);

export type Operation = z.infer<typeof operation>;
export type OperationOf<Type extends Operation['type']> = Extract<Operation, { type: Type }>;

const PDF: readonly Format[] = ['pdf'];
const TEXT: readonly Format[] = ['txt', 'markdown', 'html', 'csv', 'json', 'svg'];
const OFFICE: readonly Format[] = ['docx', 'pptx', 'xlsx', 'odt', 'ods', 'odp'];

const FORMATS_OF: Readonly<Record<Operation['type'], readonly Format[]>> = {
  redact: PDF,
  fillForm: PDF,
  keepPages: PDF,
  removePages: PDF,
  movePages: PDF,
  reorderPages: PDF,
  rotatePages: PDF,
  appendFiles: PDF,
  splitPages: PDF,
  stampText: PDF,
  replaceText: [...OFFICE, ...TEXT],
  replacePattern: [...OFFICE, ...TEXT],
  fillPlaceholders: [...OFFICE, ...TEXT],
  setCell: ['xlsx'],
};

export const takesFormat = (type: Operation['type'], format: Format): boolean => FORMATS_OF[type].includes(format);

/** Returns the file extensions that accept the operation, for messages: `docx, pptx`. */
export const formatsOf = (type: Operation['type']): string =>
  FORMATS_OF[type].map((format) => FORMATS[format].extensions[0] ?? format).join(', ');

/** Returns the types of the operations that the format accepts; empty when it cannot be edited. */
export const operationsOn = (format: Format): Operation['type'][] =>
  (Object.keys(FORMATS_OF) as Operation['type'][]).filter((type) => takesFormat(type, format));
