/**
 * Reads the header of a Word binary file (FIB): its version and the location of its tables. Word 97 to 2003 store
 * tables in a stream of their own, Word 6 and 95 in the document stream. Offsets are those of [MS-DOC] 2.5 and the Word
 * 6 format.
 */
import type { CompoundFile } from '../../compound/compound-file.ts';
import { encryptedError } from '../compound/open-compound.ts';
import { ContentError } from '@quire/blocks/content-error';

export interface TableLocation {
  offset: number;
  length: number;
}

export interface FileInformation {
  document: Buffer;
  tables: Buffer;
  /** True for Word 97 and later: UTF-16 text, two-byte property codes. */
  modern: boolean;
  /** True if the text is stored in pieces, as in all modern files. */
  complex: boolean;
  /** Offset of the text in old files without pieces. */
  textOffset: number;
  /** Windows language id, which selects the code page of text in Word 6 and 95. */
  languageId: number;
  /** Lengths of the parts of the text in characters, in file order. */
  lengths: {
    main: number;
    footnotes: number;
    headers: number;
    macros: number;
    comments: number;
    endnotes: number;
    boxes: number;
  };
  locations: Readonly<Record<TableName, TableLocation>>;
}

type TableName =
  | 'styles'
  | 'pieces'
  | 'characterRuns'
  | 'paragraphRuns'
  | 'lists'
  | 'listOverrides'
  | 'footnoteReferences'
  | 'footnoteTexts'
  | 'endnoteReferences'
  | 'endnoteTexts'
  | 'commentReferences'
  | 'commentTexts'
  | 'fonts'
  | 'commentAuthors'
  | 'anchors'
  | 'drawings'
  | 'boxes';

const MAGIC_WORD_97 = 0xa5ec;
const MAGIC_WORD_6 = 0xa5dc;
const ENCRYPTED = 0x0100;
const USES_TABLE_1 = 0x0200;
const COMPLEX = 0x0004;
/** First version (nFib) with the modern layout. */
const FIRST_MODERN = 105;

/** Indexes in the modern table of (offset, length) pairs at 0x9a. */
const MODERN_INDEX: Readonly<Record<TableName, number>> = {
  styles: 1,
  footnoteReferences: 2,
  footnoteTexts: 3,
  commentReferences: 4,
  commentTexts: 5,
  characterRuns: 12,
  paragraphRuns: 13,
  fonts: 15,
  pieces: 33,
  commentAuthors: 36,
  anchors: 40,
  endnoteReferences: 46,
  endnoteTexts: 47,
  drawings: 50,
  boxes: 56,
  lists: 73,
  listOverrides: 74,
};
const OLD_OFFSET: Readonly<Partial<Record<TableName, number>>> = {
  styles: 0x60,
  footnoteReferences: 0x68,
  footnoteTexts: 0x70,
  characterRuns: 0xb8,
  paragraphRuns: 0xc0,
  pieces: 0x160,
};

export function readFileInformation(container: CompoundFile): FileInformation {
  const document = container.stream('WordDocument');
  if (!document || document.length < 0x200)
    throw new ContentError('corrupt', 'The file is damaged: it contains no document');
  const magic = document.readUInt16LE(0);
  const version = document.readUInt16LE(2);
  const flags = document.readUInt16LE(0x0a);
  if (magic !== MAGIC_WORD_97 && magic !== MAGIC_WORD_6) {
    throw new ContentError('unsupported', 'Documents of Word 2 and older are not supported');
  }
  if ((flags & ENCRYPTED) !== 0) throw encryptedError();
  const modern = version >= FIRST_MODERN && magic === MAGIC_WORD_97;
  const tableName = (flags & USES_TABLE_1) !== 0 ? '1Table' : '0Table';
  const tables = modern
    ? (container.stream(tableName) ?? container.stream('1Table') ?? container.stream('0Table'))
    : document;
  if (!tables) throw new ContentError('corrupt', 'The file is damaged: its tables are missing');
  return {
    document,
    tables,
    modern,
    complex: modern || (flags & COMPLEX) !== 0,
    textOffset: document.readUInt32LE(0x18),
    languageId: document.readUInt16LE(0x06),
    lengths: readLengths(document, modern ? 0x4c : 0x34),
    locations: readLocations(document, modern),
  };
}

function readLengths(document: Buffer, offset: number): FileInformation['lengths'] {
  const at = (index: number): number => Math.max(0, document.readInt32LE(offset + index * 4));
  return {
    main: at(0),
    footnotes: at(1),
    headers: at(2),
    macros: at(3),
    comments: at(4),
    endnotes: at(5),
    boxes: at(6),
  };
}

function readLocations(document: Buffer, modern: boolean): FileInformation['locations'] {
  const entries = Object.entries(MODERN_INDEX).map(([name, index]): [string, TableLocation] => {
    const position = modern ? 0x9a + index * 8 : oldOffset(name);
    if (position === undefined || position + 8 > document.length) return [name, { offset: 0, length: 0 }];
    return [name, { offset: document.readUInt32LE(position), length: document.readUInt32LE(position + 4) }];
  });
  // The keys are those of `MODERN_INDEX`.
  return Object.fromEntries(entries) as FileInformation['locations'];
}

const oldOffset = (name: string): number | undefined => new Map(Object.entries(OLD_OFFSET)).get(name);
