/** Cursors of readings: signed, and valid for one revision of one document. */
import { decodeCursor, encodeCursor } from '../../shared/cursor.ts';
import type { DocumentRecord } from '../../database/tables.ts';
import type { TextRange } from '@quire/process/document-text/document-text';

type Revision = Pick<DocumentRecord, 'id' | 'searchable_revision'>;

export class ReadCursors {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  encode(document: Revision, { from, end }: TextRange): string {
    return encodeCursor([from.part, from.offset, end].join(','), scopeOf(document), this.#key);
  }

  /** Returns the range that is left to read; undefined if the cursor is of another revision or not one of ours. */
  decode(document: Revision, cursor: string): TextRange | undefined {
    const [part, offset, end] = decodeCursor(cursor, scopeOf(document), this.#key)?.split(',').map(Number) ?? [];
    if (part === undefined || offset === undefined || end === undefined) return undefined;
    return { from: { part, offset }, end };
  }

  /** A cursor as long as any, to reserve its room in a result. */
  longest(document: Revision): string {
    const most = 9_999_999_999;
    return this.encode(document, { from: { part: most, offset: most }, end: most });
  }
}

const scopeOf = ({ id, searchable_revision: revision }: Revision): string => `mcp:read:${id}:${revision}`;
