/** Assembles the document's characters from its pieces and maps them to file positions. */
import { ContentError } from '@quire/blocks/content-error';
import { codePageOf, decodeBytes } from '../compound/code-pages.ts';
import type { FileInformation } from './file-information.ts';
import { readPlc } from './plc.ts';

interface Piece {
  /** Position of the piece's first character in the whole text. */
  start: number;
  end: number;
  fileOffset: number;
  bytesPerCharacter: 1 | 2;
}

/** Maximum text length per byte of the file. Pieces may share bytes, but a much longer text is an attack. */
const MAX_CHARACTERS_PER_BYTE = 2;

export class DocumentText {
  readonly characters: string;
  readonly #pieces: Piece[];

  constructor(information: FileInformation) {
    this.#pieces = readPieces(information);
    const codePage = information.modern ? 'windows-1252' : codePageOf(information.languageId);
    let text = '';
    for (const piece of this.#pieces) text += readPiece(information.document, piece, codePage);
    this.characters = text;
  }

  /** Returns the file position of a character, because properties are stored by position. */
  fileOffset(character: number): number {
    let low = 0;
    let high = this.#pieces.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#pieces[middle]?.start ?? 0) <= character) low = middle;
      else high = middle - 1;
    }
    const piece = this.#pieces[low];
    return piece ? piece.fileOffset + (character - piece.start) * piece.bytesPerCharacter : 0;
  }
}

function readPieces(information: FileInformation): Piece[] {
  const { document, lengths } = information;
  const total = Object.values(lengths).reduce((sum, length) => sum + length, 0);
  const pieces = information.complex ? piecesFromTable(information) : [];
  if (pieces.length === 0) {
    const available = Math.min(total, document.length - information.textOffset);
    pieces.push({ start: 0, end: Math.max(0, available), fileOffset: information.textOffset, bytesPerCharacter: 1 });
  }
  const characters = pieces.reduce((sum, piece) => sum + piece.end - piece.start, 0);
  if (characters > document.length * MAX_CHARACTERS_PER_BYTE) {
    throw new ContentError('corrupt', 'The file is damaged: its text is longer than the file');
  }
  return pieces;
}

/** Returns the pieces from the piece table, which follows property lists written by fast saving. */
function piecesFromTable({ tables, modern, locations, document }: FileInformation): Piece[] {
  const { offset, length } = locations.pieces;
  let position = offset;
  while (position < offset + length && tables.readUInt8(position) === 1)
    position += 3 + tables.readUInt16LE(position + 1);
  if (position >= offset + length || tables.readUInt8(position) !== 2) return [];
  const table = { offset: position + 5, length: tables.readUInt32LE(position + 1) };
  const pieces: Piece[] = [];
  let character = 0;
  for (const entry of readPlc(tables, table, 8)) {
    const raw = tables.readUInt32LE(entry.dataOffset + 2);
    const compressed = !modern || (raw & 0x40000000) !== 0;
    const fileOffset = modern && compressed ? (raw & 0x3fffffff) >>> 1 : raw & 0x3fffffff;
    const bytesPerCharacter = compressed ? 1 : 2;
    const available = Math.floor((document.length - fileOffset) / bytesPerCharacter);
    const count = Math.min(entry.end - entry.start, available);
    if (count <= 0) continue;
    pieces.push({ start: character, end: character + count, fileOffset, bytesPerCharacter });
    character += count;
  }
  return pieces;
}

function readPiece(document: Buffer, piece: Piece, codePage: string): string {
  const bytes = document.subarray(
    piece.fileOffset,
    piece.fileOffset + (piece.end - piece.start) * piece.bytesPerCharacter,
  );
  return piece.bytesPerCharacter === 2 ? bytes.toString('utf16le') : decodeBytes(bytes, codePage);
}
