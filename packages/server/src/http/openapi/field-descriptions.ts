/**
 * Describes the fields of requests and answers, with an example each: by field name, or by `container.field` where the
 * meaning differs (the container is the component or the field that holds it). A description in a schema takes
 * precedence. A test fails for a field that has none, for an entry that no field uses, and for a name that two groups
 * describe.
 */
import { AUDIT_FIELDS } from './fields/audit.ts';
import { CHAT_FIELDS } from './fields/chats.ts';
import { COLLECTION_FIELDS } from './fields/collections.ts';
import { CONFIGURATION_FIELDS } from './fields/configurations.ts';
import { CONNECTOR_FIELDS } from './fields/connectors.ts';
import { DOCUMENT_FIELDS } from './fields/documents.ts';
import { EDIT_OPERATION_FIELDS } from './fields/edit-operations.ts';
import { ID, TIME, type FieldDescription } from './fields/field.ts';
import { PAGE_FIELDS } from './fields/pages.ts';
import { RECORD_FIELDS } from './fields/records.ts';
import { RUN_FIELDS } from './fields/runs.ts';
import { SEARCH_FIELDS } from './fields/search.ts';
import { WEBHOOK_FIELDS } from './fields/webhooks.ts';
import { WORKSPACE_AND_KEY_FIELDS } from './fields/workspaces-and-keys.ts';

export const FIELD_GROUPS: readonly Readonly<Record<string, FieldDescription>>[] = [
  RECORD_FIELDS,
  WORKSPACE_AND_KEY_FIELDS,
  COLLECTION_FIELDS,
  DOCUMENT_FIELDS,
  PAGE_FIELDS,
  SEARCH_FIELDS,
  CHAT_FIELDS,
  RUN_FIELDS,
  EDIT_OPERATION_FIELDS,
  CONFIGURATION_FIELDS,
  WEBHOOK_FIELDS,
  AUDIT_FIELDS,
  CONNECTOR_FIELDS,
];

export const FIELD_DESCRIPTIONS: Readonly<Record<string, FieldDescription>> = Object.assign({}, ...FIELD_GROUPS);

/** Examples of fields by their format. */
export const EXAMPLES_BY_FORMAT: Readonly<Record<string, unknown>> = {
  uuid: ID,
  'date-time': TIME,
  uri: 'https://example.com/',
};
