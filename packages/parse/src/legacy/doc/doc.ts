/**
 * Reads legacy Word documents (doc) of Word 97 to 2003 and Word 6/95 from their binary tables. Files that are really
 * docx or rtf, which is common, go to those readers.
 */
import { readFileSync } from 'node:fs';
import type { BlockDraft, ParsedContent } from '@quire/blocks/block';
import { ContentError } from '@quire/blocks/content-error';
import type { FormatReader } from '../../parser.ts';
import { nestBelowTitle } from '../../office/build/document-title.ts';
import { plainText } from '../../office/build/plain-text.ts';
import { isCompoundFile, type CompoundFile } from '../../compound/compound-file.ts';
import { openCompound } from '../compound/open-compound.ts';
import { corruptOnOverrun } from '../compound/corrupt-on-overrun.ts';
import { DocumentReader } from './document-reader.ts';
import { readFileInformation } from './file-information.ts';
import type { FileInformation, TableLocation } from './file-information.ts';
import { EQUATION_STREAM, latexOfEquation } from '../equation/equation-object.ts';
import { readTextBoxes } from './drawings.ts';
import { readPlc } from './plc.ts';

export const reader: FormatReader = {
  parse: async (file, context) => {
    const bytes = readFileSync(file.path);
    const start = bytes.subarray(0, 5).toString('latin1');
    if (start.startsWith('PK')) return (await import('../../formats/docx/docx.ts')).reader.parse(file, context);
    if (start === '{\\rtf') return (await import('../rtf/rtf.ts')).reader.parse(file, context);
    if (!isCompoundFile(bytes)) throw new ContentError('corrupt', 'The file is not a Word document');
    return corruptOnOverrun(() => readDocument(openCompound(bytes)));
  },
};

function readDocument(container: CompoundFile): ParsedContent {
  const information = readFileInformation(container);
  const { lengths } = information;
  const document = new DocumentReader(information, (object) => {
    const equation = container.streamIn(`_${object}`, EQUATION_STREAM);
    return equation && latexOfEquation(equation);
  });
  const marks = new Map<number, string>();
  const footnotes = noteRanges(information, 'footnote', marks);
  const endnotes = noteRanges(information, 'endnote', marks);
  const notesAt = lengths.main;
  const commentsAt = notesAt + lengths.footnotes + lengths.headers + lengths.macros;
  const endnotesAt = commentsAt + lengths.comments;
  const boxes = readTextBoxes(information, endnotesAt + lengths.endnotes);
  const body: BlockDraft[] = [
    ...document.read(0, lengths.main, { marks, boxes: boxes.anchored }),
    ...boxes.others.flatMap(({ start, end }) => document.read(start, end)),
    ...readNotes(document, footnotes, notesAt),
    ...readNotes(document, endnotes, endnotesAt),
    ...readNotes(document, commentRanges(information), commentsAt),
  ];
  // Headers and footers repeat on each page, so they are used only if the document has no other text.
  const headersAt = notesAt + lengths.footnotes;
  const shown = body.length > 0 ? body : document.read(headersAt, headersAt + lengths.headers);
  const { blocks, title } = nestBelowTitle(shown);
  return { blocks, pageCount: null, title, warnings: [] };
}

/**
 * Size of a comment reference ([MS-DOC] 2.9.10, ATRDPre10), and the offset of the author's number, after the initials.
 */
const COMMENT_BYTES = 30;
const COMMENT_AUTHOR = 20;

interface NoteRange {
  lead: string;
  start: number;
  end: number;
}

/** Returns the ranges of the notes within the notes' text, and the marks at their references in the body. */
function noteRanges(
  information: FileInformation,
  kind: 'footnote' | 'endnote',
  marks: Map<number, string>,
): NoteRange[] {
  const { tables, locations } = information;
  const prefix = kind === 'footnote' ? '' : 'e';
  references(tables, locations[`${kind}References`]).forEach((position, index) => {
    marks.set(position, `${prefix}${index + 1}`);
  });
  return ranges(tables, locations[`${kind}Texts`]).map((range, index) => ({
    ...range,
    lead: `[${prefix}${index + 1}]`,
  }));
}

function commentRanges({ tables, locations, modern }: FileInformation): NoteRange[] {
  const authors = modern ? readAuthors(tables, locations.commentAuthors) : [];
  const authorNumbers = modern
    ? readPlc(tables, locations.commentReferences, COMMENT_BYTES).map((entry) =>
        tables.readUInt16LE(entry.dataOffset + COMMENT_AUTHOR),
      )
    : [];
  return ranges(tables, locations.commentTexts).map((range, index) => {
    const author = authors[authorNumbers[index] ?? -1] ?? '';
    return { ...range, lead: author === '' ? 'Comment:' : `Comment (${author}):` };
  });
}

/** Reads strings, each preceded by its length in characters. */
function readAuthors(tables: Buffer, { offset, length }: TableLocation): string[] {
  const authors: string[] = [];
  for (let position = offset; position + 2 <= offset + length;) {
    const end = position + 2 + tables.readUInt16LE(position) * 2;
    authors.push(tables.toString('utf16le', position + 2, end).trim());
    position = end;
  }
  return authors;
}

function references(tables: Buffer, location: TableLocation): number[] {
  return location.length < 4 ? [] : readPlc(tables, location, 2).map((entry) => entry.start);
}

/** Returns the ranges of a part, without the last one, which is only its end mark. */
function ranges(tables: Buffer, location: TableLocation): { start: number; end: number }[] {
  return location.length < 4 ? [] : readPlc(tables, location, 0).slice(0, -1);
}

function readNotes(document: DocumentReader, notes: readonly NoteRange[], offset: number): BlockDraft[] {
  return notes.flatMap(({ lead, start, end }): BlockDraft[] => {
    const text = plainText(document.read(offset + start, offset + end));
    return text === '' ? [] : [{ type: 'footnote', text: `${lead} ${text}` }];
  });
}
