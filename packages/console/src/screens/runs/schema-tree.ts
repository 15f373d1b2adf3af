/** A JSON Schema as a tree of fields, for the builder. Schemas with other parts are edited as JSON. */

export type FieldType = 'text' | 'date' | 'number' | 'integer' | 'boolean' | 'group';

export interface SchemaField {
  /** Number for the list of the builder; no part of the schema. */
  key: number;
  name: string;
  type: FieldType;
  isList: boolean;
  description: string;
  /** Fields of a group. */
  children: readonly SchemaField[];
}

interface Schema {
  type?: string;
  format?: string;
  description?: string;
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
}

const TYPES: Readonly<Record<FieldType, Schema>> = {
  text: { type: 'string' },
  date: { type: 'string', format: 'date' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  group: { type: 'object' },
};

let lastKey = 0;

export const newField = (field: Partial<Omit<SchemaField, 'key'>> = {}): SchemaField => ({
  name: '',
  type: 'text',
  isList: false,
  description: '',
  children: [],
  ...field,
  key: (lastKey += 1),
});

/** Returns the schema of an object with the fields. Fields without a name are left out. */
export const schemaOf = (fields: readonly SchemaField[]): object => ({
  type: 'object',
  properties: propertiesOf(fields),
});

const propertiesOf = (fields: readonly SchemaField[]): Record<string, Schema> =>
  Object.fromEntries(fields.flatMap((field) => (field.name === '' ? [] : [[field.name, fieldSchema(field)]])));

function fieldSchema({ type, isList, description, children }: SchemaField): Schema {
  const value = { ...TYPES[type], ...(type === 'group' && { properties: propertiesOf(children) }) };
  const schema: Schema = isList ? { type: 'array', items: value } : value;
  return description === '' ? schema : { ...schema, description };
}

/** Returns the fields of a schema; undefined if it has parts that the tree cannot hold. */
export function fieldsOf(schema: unknown): SchemaField[] | undefined {
  const fields = readProperties(schema);
  // Compared, so that nothing that the tree does not show is lost by an edit in it.
  return fields !== undefined && sameJson(schemaOf(fields), schema) ? fields : undefined;
}

function readProperties(schema: unknown): SchemaField[] | undefined {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  if (!isObject(properties)) return undefined;
  const fields = Object.entries(properties).map(([name, value]) => readField(name, value));
  return fields.some((field) => field === undefined) ? undefined : (fields as SchemaField[]);
}

function readField(name: string, schema: unknown): SchemaField | undefined {
  if (!isObject(schema)) return undefined;
  const isList = schema['type'] === 'array';
  const value = isList ? schema['items'] : schema;
  const description = typeof schema['description'] === 'string' ? schema['description'] : '';
  if (!isObject(value)) return undefined;
  const type = (Object.keys(TYPES) as FieldType[]).find(
    (each) => TYPES[each].type === value['type'] && TYPES[each].format === value['format'],
  );
  if (type === undefined) return undefined;
  const children = type === 'group' ? readProperties(value) : [];
  return children === undefined ? undefined : newField({ name, type, isList, description, children });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function sameJson(a: unknown, b: unknown): boolean {
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && sameJson(a[key], b[key]));
}
