/**
 * Locates the current version of each object: every save appends to the file, and a chain of edits states what is
 * current.
 */
import { encryptedError } from '../compound/open-compound.ts';
import { readRecord, RecordType } from './records.ts';

const ENCRYPTED_TOKEN = 0xf3d1c4df;
const MAX_EDITS = 1_000;

export interface PersistDirectory {
  documentOffset: number | undefined;
  offsets: ReadonlyMap<number, number>;
}

/** Reads the directory. `currentUser` is the stream of that name; without a readable one, the directory is empty. */
export function readPersistDirectory(stream: Buffer, currentUser: Buffer | undefined): PersistDirectory {
  const offsets = new Map<number, number>();
  if (!currentUser || currentUser.length < 20) return { documentOffset: undefined, offsets };
  if (currentUser.readUInt32LE(12) === ENCRYPTED_TOKEN) throw encryptedError();
  let editOffset = currentUser.readUInt32LE(16);
  let documentId: number | undefined;
  for (let count = 0; count < MAX_EDITS && editOffset !== 0; count += 1) {
    const edit = readRecord(stream, editOffset);
    if (!edit || edit.type !== RecordType.userEdit || edit.end - edit.start < 28) break;
    if (edit.end - edit.start >= 32 && stream.readUInt32LE(edit.start + 28) !== 0) throw encryptedError();
    documentId ??= stream.readUInt32LE(edit.start + 16);
    addEntries(stream, stream.readUInt32LE(edit.start + 12), offsets);
    editOffset = stream.readUInt32LE(edit.start + 8);
  }
  return { documentOffset: documentId === undefined ? undefined : offsets.get(documentId), offsets };
}

/** Adds runs of consecutive ids with an offset each. Newer edits come first and take precedence. */
function addEntries(stream: Buffer, offset: number, offsets: Map<number, number>): void {
  const directory = readRecord(stream, offset);
  if (!directory || directory.type !== RecordType.persistDirectory) return;
  let position = directory.start;
  while (position + 4 <= directory.end) {
    const header = stream.readUInt32LE(position);
    position += 4;
    for (let index = 0; index < header >>> 20 && position + 4 <= directory.end; index += 1) {
      const id = (header & 0xfffff) + index;
      if (!offsets.has(id)) offsets.set(id, stream.readUInt32LE(position));
      position += 4;
    }
  }
}
