/** The operations that the form of a run offers; `docs/guide/editing.md` describes all of them. */
export interface OperationField {
  name: string;
  label: string;
  /** `lines`: a list with one entry per line. */
  kind: 'text' | 'lines' | 'number' | 'json';
  isRequired?: boolean;
  placeholder?: string;
  help?: string;
}

interface Operation {
  type: string;
  label: string;
  fields: readonly OperationField[];
}

const PAGES: OperationField = {
  name: 'pages',
  label: 'Pages',
  kind: 'text',
  isRequired: true,
  placeholder: '1-3,5,8-',
};

export const OPERATIONS: readonly Operation[] = [
  {
    type: 'replaceText',
    label: 'Replace a text',
    fields: [
      { name: 'find', label: 'Text', kind: 'text', isRequired: true },
      { name: 'replace', label: 'New text', kind: 'text', isRequired: true },
    ],
  },
  {
    type: 'replacePattern',
    label: 'Replace by a pattern',
    fields: [
      { name: 'pattern', label: 'Regular expression', kind: 'text', isRequired: true },
      { name: 'replace', label: 'New text', kind: 'text', isRequired: true, help: '$1 inserts a group.' },
    ],
  },
  {
    type: 'fillPlaceholders',
    label: 'Fill {{placeholders}}',
    fields: [{ name: 'values', label: 'Values', kind: 'json', isRequired: true, placeholder: '{"name": "Ada"}' }],
  },
  {
    type: 'setCell',
    label: 'Write a cell of an xlsx file',
    fields: [
      { name: 'sheet', label: 'Sheet', kind: 'text' },
      { name: 'cell', label: 'Cell', kind: 'text', isRequired: true, placeholder: 'B4' },
      { name: 'value', label: 'Value', kind: 'text' },
    ],
  },
  {
    type: 'redact',
    label: 'Redact texts of a PDF',
    fields: [{ name: 'texts', label: 'Texts', kind: 'lines', isRequired: true, help: 'One per line.' }],
  },
  {
    type: 'fillForm',
    label: 'Fill the form of a PDF',
    fields: [{ name: 'fields', label: 'Fields', kind: 'json', isRequired: true, placeholder: '{"full.name": "Ada"}' }],
  },
  { type: 'keepPages', label: 'Keep pages of a PDF', fields: [PAGES] },
  { type: 'removePages', label: 'Remove pages of a PDF', fields: [PAGES] },
  {
    type: 'rotatePages',
    label: 'Rotate pages of a PDF',
    fields: [
      { name: 'degrees', label: 'Degrees', kind: 'number', isRequired: true, placeholder: '90' },
      { ...PAGES, isRequired: false, help: 'Without them, all pages.' },
    ],
  },
  { type: 'appendFiles', label: 'Append the other PDFs of the run', fields: [] },
  {
    type: 'splitPages',
    label: 'Split a PDF',
    fields: [{ name: 'every', label: 'Pages a file', kind: 'number', isRequired: true, placeholder: '10' }],
  },
  {
    type: 'stampText',
    label: 'Stamp a text on a PDF',
    fields: [
      { name: 'text', label: 'Text', kind: 'text', isRequired: true, help: '{page} and {pages} insert numbers.' },
      { ...PAGES, isRequired: false },
    ],
  },
];
