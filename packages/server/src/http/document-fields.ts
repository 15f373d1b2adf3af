/** Schemas of the fields of a document that clients set; forms, JSON bodies and their descriptions derive from them. */
import type { z } from 'zod';
import type { DocumentFields } from '../domain/documents/types.ts';
import { optional } from '../validation/fields.ts';
import { metadataObject } from '../validation/json-object.ts';
import { documentName } from './file-name.ts';

type FieldName = keyof DocumentFields;

interface SettableField<Value> {
  schema: z.ZodType<NonNullable<Value>>;
  /** Notation of the value in a part of a form. */
  part: 'text' | 'json';
}

export const SETTABLE_FIELDS: { [Name in FieldName]-?: SettableField<DocumentFields[Name]> } = {
  metadata: { schema: metadataObject(), part: 'json' },
  name: { schema: documentName(), part: 'text' },
};

/** The fields as an object's shape, each of them optional. */
export const OPTIONAL_FIELDS = Object.fromEntries(
  Object.entries(SETTABLE_FIELDS).map(([name, { schema }]) => [name, optional<unknown>(schema)]),
) as { [Name in FieldName]-?: z.ZodType<DocumentFields[Name]> };

export const FIELD_NAMES = Object.keys(SETTABLE_FIELDS) as FieldName[];

export const isSettable = (name: string): name is FieldName => Object.hasOwn(SETTABLE_FIELDS, name);
