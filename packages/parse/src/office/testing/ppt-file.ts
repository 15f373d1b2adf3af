/** Builds PowerPoint binary files for tests, after [MS-PPT]. */
import { container } from './word-file.ts';

const CONTAINER = 0xf;

export function record(type: number, data: Buffer, flags = 0): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt16LE(flags, 0);
  header.writeUInt16LE(type, 2);
  header.writeUInt32LE(data.length, 4);
  return Buffer.concat([header, data]);
}

export const nest = (type: number, ...parts: Buffer[]): Buffer => record(type, Buffer.concat(parts), CONTAINER);
export const list = (instance: number, ...parts: Buffer[]): Buffer =>
  record(4080, Buffer.concat(parts), CONTAINER | (instance << 4));

export function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeInt32LE(value, index * 4));
  return bytes;
}

export const text = (type: number, characters: string): Buffer =>
  Buffer.concat([record(3999, numbers(type)), record(4000, Buffer.from(characters, 'utf16le'))]);

/** Returns a shape with its text; the anchor is top, left, right, bottom. */
export const shape = (content: Buffer, ...anchor: number[]): Buffer =>
  nest(0xf004, record(0xf010, numbers(...anchor)), nest(0xf00d, content));

/** Returns a rectangle of a group in the group's coordinates: left, top, right, bottom. */
export const cell = (content: string, ...box: number[]): Buffer =>
  nest(0xf004, record(0xf00f, numbers(...box)), content === '' ? Buffer.alloc(0) : nest(0xf00d, text(4, content)));

/** Returns a table group at the given position: top, left, right, bottom. Its cells use the slide's coordinates. */
export function table(cells: readonly Buffer[], anchor: readonly [number, number, number, number]): Buffer {
  const [top, left, right, bottom] = anchor;
  const properties = Buffer.from([0x9f, 0x03, 1, 0, 0, 0]);
  const places = Buffer.alloc(8);
  anchor.forEach((side, index) => places.writeInt16LE(side, index * 2));
  const group = nest(
    0xf004,
    record(0xf009, numbers(left, top, right, bottom)),
    record(0xf122, properties, 3 | (1 << 4)),
    record(0xf010, places),
  );
  const line = nest(0xf004, record(0xf00a, numbers(0, 0), 2 | (20 << 4)), record(0xf00f, numbers(0, 0, 1, 1)));
  return nest(0xf003, group, ...cells, line);
}

export const slide = (notesId: number, ...shapes: Buffer[]): Buffer =>
  nest(
    1006,
    record(1007, numbers(0, 0, 0, 0, notesId, 0)),
    nest(1036, nest(0xf002, nest(0xf003, nest(0xf004), ...shapes))),
  );

export const persist = (id: number, slideId: number): Buffer => record(1011, numbers(id, 0, 0, slideId, 0));

/** Returns a file with the objects (ids from 1), their directory, one edit, and the stream that points to it. */
export function presentation(objects: readonly Buffer[], token = 0xe391c05f): Uint8Array {
  const offsets: number[] = [];
  let end = 0;
  for (const object of objects) {
    offsets.push(end);
    end += object.length;
  }
  const directory = record(6002, numbers((objects.length << 20) | 1, ...offsets));
  const edit = record(4085, numbers(0, 0, 0, end, 1, 0, 0));
  const user = Buffer.alloc(24);
  user.writeUInt32LE(token, 12);
  user.writeUInt32LE(end + directory.length, 16);
  const stream = Buffer.concat([...objects, directory, edit, Buffer.alloc(4096)]);
  return container({ 'PowerPoint Document': stream, 'Current User': user });
}
