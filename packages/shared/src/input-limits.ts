/**
 * The limits of inputs: every bound on what a client may send, in one place. The code that checks an input reads its
 * bound here, the table in `docs/guide/limits.md` is generated from here, and `test/contract/1-input-limits.test.ts`
 * sends a value at each bound and one beyond it.
 *
 * Limits that an operator sets (sizes of files and bodies, archives, free space) are settings, in `config/`.
 */

export interface InputLimit {
  /** The largest accepted value. Characters are code points; bytes of JSON are those of its shortest form in UTF-8. */
  max: number;
  unit: 'characters' | 'bytes' | 'items' | 'levels';
  /** The limited input, for the guide. */
  of: string;
  /** Type of the error beyond the limit. */
  error: 'string_too_long' | 'too_long' | 'value_error' | 'json_invalid' | 'body_too_large' | 'bad_request';
}

type Unit = InputLimit['unit'];
type ErrorType = InputLimit['error'];

/** Declares limits with one unit and one error type, by name: maximum and description. */
const group = <const Name extends string>(
  unit: Unit,
  error: ErrorType,
  entries: Record<Name, readonly [max: number, of: string]>,
): Record<Name, InputLimit> =>
  Object.fromEntries(
    (Object.entries(entries) as [Name, readonly [number, string]][]).map(([name, [max, of]]) => [
      name,
      { max, unit, of, error },
    ]),
  ) as Record<Name, InputLimit>;

const TEXTS = group('characters', 'string_too_long', {
  name: [200, 'Name of a workspace, key, collection, configuration, connector or webhook; title of a chat'],
  documentName: [255, 'Name of a document or file'],
  contentType: [255, '`contentType` of a document'],
  description: [5_000, 'Description of a collection or of a label'],
  instructions: [20_000, 'Instructions of a chat or of a block of a run'],
  query: [10_000, 'Query of a search, question in a chat'],
  nameSearch: [1_000, '`name` of a list of documents'],
  sourcePath: [1_024, "`path` of a list of a connector's items"],
  auditFilter: [100, '`action` and `resourceType` of the audit log'],
  auditResourceId: [200, '`resourceId` of the audit log'],
  glob: [500, 'One pattern of `include` or `exclude`'],
  schedule: [100, 'Schedule of a connector'],
  signingSecret: [256, 'Signing secret of a webhook'],
  idempotencyKey: [255, '`Idempotency-Key` header, `idempotency_key` of a run'],
  label: [500, '`id` and `label` of a taxonomy'],
  editText: [20_000, 'One text of an edit operation'],
  editPattern: [2_000, 'One regular expression of an edit operation'],
  editName: [1_000, 'Name of a placeholder, form field, sheet or file in an edit operation'],
  cellFormula: [8_192, '`formula` of `setCell`'],
});

const LISTS = group('items', 'too_long', {
  documentIds: [1_000, '`documentIds` of a bulk deletion or retry'],
  keyCollections: [1_000, '`collectionIds` of a key'],
  searchCollections: [100, '`collectionIds` of a search'],
  globs: [100, 'Patterns in `include` and in `exclude`'],
  pageBoxes: [200, '`box` of a picture of a page'],
  editOperations: [200, 'Operations of an edit'],
  placeholderRows: [10_000, 'Rows of a list in `fillPlaceholders`'],
  redactTexts: [500, '`texts` of `redact`'],
  redactPatterns: [100, '`patterns` of `redact`'],
  redactBoxes: [5_000, '`boxes` of `redact`'],
  pageOrder: [10_000, '`order` of `reorderPages`'],
});

const JSON_VALUES = {
  ...group('levels', 'json_invalid', { jsonLevels: [200, 'Nesting of a JSON body or part'] }),
  ...group('items', 'value_error', { jsonValues: [100_000, 'Values in a JSON body or part'] }),
  ...group('bytes', 'value_error', {
    fieldName: [256, 'One name in metadata, and one part of a `metadata.…` field of a filter'],
    metadata: [64 * 1024, 'Metadata of a document, collection, chat or connector, as JSON'],
    filter: [64 * 1024, 'Filter, as JSON'],
    connectorConfig: [64 * 1024, '`config` of a connector, as JSON'],
    jsonSchema: [512 * 1024, '`jsonSchema` of an extraction, as JSON'],
  }),
  ...group('levels', 'value_error', {
    fieldPath: [32, 'Nesting of metadata, and parts of a `metadata.…` field of a filter'],
    filterLevels: [20, 'Nesting of `and`, `or` and `not` in a filter'],
    taxonomyLevels: [16, 'Nesting of a taxonomy'],
  }),
  ...group('items', 'value_error', {
    filterClauses: [200, 'Conditions in a filter'],
    filterListValues: [1_000, 'Values of one `in` of a filter'],
    filterValues: [10_000, 'Values in all `in` of a filter'],
    taxonomyLabels: [10_000, 'Labels of a taxonomy, on all levels'],
    editPatterns: [200, 'Regular expressions in the operations of an edit'],
  }),
};

const REQUESTS = {
  ...group('items', 'bad_request', {
    formParts: [100, 'Parts of the form of an upload'],
    mcpMessages: [16, 'Messages in one MCP request'],
  }),
  ...group('bytes', 'body_too_large', { formField: [1024 * 1024, 'A part of the form of an upload that is no file'] }),
};

export const INPUT_LIMITS = { ...TEXTS, ...LISTS, ...JSON_VALUES, ...REQUESTS };

export type InputLimitName = keyof typeof INPUT_LIMITS;
