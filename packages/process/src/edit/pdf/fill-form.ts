/** Fills form fields by name. */
import {
  PDFCheckBox,
  PDFDropdown,
  PDFOptionList,
  PDFRadioGroup,
  PDFTextField,
  type PDFDocument,
  type PDFField,
} from '@cantoo/pdf-lib';
import { ContentError } from '@quire/blocks/content-error';
import type { OperationOf } from '../operations.ts';
import type { OperationReport } from '../report.ts';
import { EditFonts } from './fonts.ts';

type FillForm = OperationOf<'fillForm'>;
type FieldValue = FillForm['fields'][string];

const MAX_LISTED_NAMES = 50;

/** Fills in the fields. Fields that do not exist or do not accept the value are listed in the notes. */
export async function fillForm(document: PDFDocument, operation: FillForm): Promise<OperationReport> {
  const form = document.getForm();
  const fields = new Map(form.getFields().map((field) => [field.getName(), field]));
  const fonts = new EditFonts(document);
  const notes: string[] = [];
  let changes = 0;
  for (const [name, value] of Object.entries(operation.fields)) {
    const field = fields.get(name);
    const problem = field === undefined ? 'there is no such field' : await fill(field, value, fonts);
    if (problem === undefined) changes += 1;
    else notes.push(`${name}: ${problem}`);
  }
  if (notes.some((note) => note.endsWith('no such field'))) {
    const names = [...fields.keys()].slice(0, MAX_LISTED_NAMES).join(', ');
    notes.push(fields.size === 0 ? 'The document has no form fields' : `The fields are: ${names}`);
  }
  if (operation.flatten) flatten(document);
  return { type: operation.type, changes, ...(notes.length > 0 ? { notes } : {}) };
}

/** Fills in one field. Returns undefined on success, otherwise the reason in words. */
async function fill(field: PDFField, value: FieldValue, fonts: EditFonts): Promise<string | undefined> {
  if (field instanceof PDFTextField) return fillText(field, value, fonts);
  if (field instanceof PDFCheckBox) return check(field, value);
  if (field instanceof PDFRadioGroup || field instanceof PDFDropdown || field instanceof PDFOptionList) {
    return choose(field, value, fonts);
  }
  return 'fields of this kind cannot be filled in';
}

async function fillText(field: PDFTextField, value: FieldValue, fonts: EditFonts): Promise<string | undefined> {
  if (typeof value !== 'string') return 'the value must be a string';
  const limit = field.getMaxLength();
  if (limit !== undefined && value.length > limit) return `at most ${limit} characters are allowed`;
  if (field.isRichFormatted()) field.disableRichFormatting();
  field.setText(value);
  field.updateAppearances(await fonts.fontFor(value));
  return undefined;
}

function check(field: PDFCheckBox, value: FieldValue): string | undefined {
  if (typeof value !== 'boolean') return 'the value must be true or false';
  if (value) field.check();
  else field.uncheck();
  field.defaultUpdateAppearances();
  return undefined;
}

async function choose(
  field: PDFRadioGroup | PDFDropdown | PDFOptionList,
  value: FieldValue,
  fonts: EditFonts,
): Promise<string | undefined> {
  const chosen = Array.isArray(value) ? value : [value];
  const options = field.getOptions();
  const texts = chosen.filter((option) => typeof option === 'string');
  const editable = field instanceof PDFDropdown && field.isEditable();
  if (texts.length < chosen.length) return 'the value must be an option';
  const unknown = texts.find((option) => !options.includes(option));
  if (unknown !== undefined && !editable)
    return `${unknown} is not one of: ${options.slice(0, MAX_LISTED_NAMES).join(', ')}`;
  if (field instanceof PDFRadioGroup) {
    const [option] = texts;
    if (option === undefined || texts.length > 1) return 'the value must be a single option';
    field.select(option);
    return undefined;
  }
  if (texts.length > 1) field.enableMultiselect();
  field.select(texts);
  field.updateAppearances(await fonts.fontFor(texts.join('')));
  return undefined;
}

function flatten(document: PDFDocument): void {
  try {
    document.getForm().flatten({ updateFieldAppearances: false });
  } catch (error) {
    throw new ContentError('unsupported', 'The form of this PDF cannot be turned into page content', { cause: error });
  }
}
