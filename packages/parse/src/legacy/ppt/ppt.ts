/**
 * Reads legacy PowerPoint presentations (ppt, 97 to 2003): the texts of each slide from its shapes and from the
 * document's outline, then its notes. Without a usable directory, the slides are read in stream order.
 */
import { readFileSync } from 'node:fs';
import type { BlockDraft, ParsedContent } from '@quire/blocks/block';
import { ContentError } from '@quire/blocks/content-error';
import { contentWarning } from '@quire/blocks/content-warning';
import type { FormatReader } from '../../parser.ts';
import { isCompoundFile, type CompoundFile } from '../../compound/compound-file.ts';
import { encryptedError, openCompound } from '../compound/open-compound.ts';
import { corruptOnOverrun } from '../compound/corrupt-on-overrun.ts';
import { readGraphs } from './graphs.ts';
import { readAddresses } from './hyperlinks.ts';
import { readPersistDirectory } from './persist-directory.ts';
import type { PersistDirectory } from './persist-directory.ts';
import { childRecords, readRecord, recordsBetween, recordsOfType, RecordType } from './records.ts';
import type { PptRecord } from './records.ts';
import { slideBlocks, slideTexts } from './slide.ts';
import type { PlacedContent, SharedContent } from './slide.ts';
import { NOTES_TEXT, plainTextOf, readTexts } from './text.ts';
import type { PptText } from './text.ts';

export const reader: FormatReader = {
  parse: async (file, context) => {
    const bytes = readFileSync(file.path);
    if (bytes[0] === 0x50 && bytes[1] === 0x4b)
      return (await import('../../formats/pptx/pptx.ts')).reader.parse(file, context);
    if (!isCompoundFile(bytes)) throw new ContentError('corrupt', 'The file is not a PowerPoint presentation');
    return corruptOnOverrun(() => readPresentation(openCompound(bytes)));
  },
};

interface ListedSlide {
  /** Id of the slide in the directory; notes refer to `slideId`. */
  persistId: number;
  slideId: number;
  outline: PptText[];
}

function readPresentation(container: CompoundFile): ParsedContent {
  const stream = container.stream('PowerPoint Document');
  if (!stream) {
    if (container.stream('PP40'))
      throw new ContentError('unsupported', 'Presentations of PowerPoint 95 are not supported');
    throw new ContentError('corrupt', 'The file is damaged: it contains no presentation');
  }
  if (container.stream('EncryptedSummary')) throw encryptedError();
  const directory = readPersistDirectory(stream, container.stream('Current User'));
  const document =
    liveRecord(stream, directory.documentOffset, RecordType.document) ?? firstOfType(stream, RecordType.document);
  const size = document ? slideSize(stream, document) : undefined;
  const slides = document ? listedSlides(stream, document, 0) : [];
  const notes = new Map(
    (document ? listedSlides(stream, document, 2) : []).map((each) => [each.slideId, each.persistId]),
  );
  const shared: SharedContent = {
    addresses: document ? readAddresses(stream, document) : new Map(),
    graphs: document ? readGraphs(stream, document, directory) : new Map(),
  };
  const blocks: BlockDraft[] = [];
  slides.forEach((listed, index) => {
    const slide = liveRecord(stream, directory.offsets.get(listed.persistId), RecordType.slide);
    const texts = slide ? slideTexts(stream, slide, listed.outline) : outlineOnly(listed.outline);
    const notesPage = slide ? notesOf(stream, slide, notes, directory) : undefined;
    blocks.push(...slideBlocks(texts, index + 1, size, shared), ...notesBlocks(stream, notesPage, index + 1));
  });
  if (blocks.length > 0) return { blocks, pageCount: slides.length, title: null, warnings: [] };
  return slidesInStreamOrder(stream);
}

/** Returns the record at an offset of the directory, if it has the expected type. */
function liveRecord(stream: Buffer, offset: number | undefined, type: number): PptRecord | undefined {
  const record = offset === undefined ? undefined : readRecord(stream, offset);
  return record?.type === type ? record : undefined;
}

function firstOfType(stream: Buffer, type: number): PptRecord | undefined {
  for (const record of recordsBetween(stream, 0, stream.length)) if (record.type === type) return record;
  return undefined;
}

/** Returns the slide size in master units, 576 per inch. */
function slideSize(stream: Buffer, document: PptRecord): { width: number; height: number } | undefined {
  for (const atom of recordsOfType(stream, document, RecordType.documentAtom)) {
    const width = stream.readInt32LE(atom.start);
    const height = stream.readInt32LE(atom.start + 4);
    if (width > 0 && height > 0) return { width, height };
  }
  return undefined;
}

/** Returns the listed slides. `instance`: 0 slides, 1 masters, 2 notes. */
function listedSlides(stream: Buffer, document: PptRecord, instance: number): ListedSlide[] {
  const slides: ListedSlide[] = [];
  for (const list of recordsOfType(stream, document, RecordType.slideList)) {
    if (list.instance !== instance) continue;
    let texts: PptRecord[] = [];
    const close = (): void => {
      const last = slides.at(-1);
      if (last) last.outline = readTexts(stream, texts);
      texts = [];
    };
    for (const record of childRecords(stream, list)) {
      if (record.type !== RecordType.slidePersist) {
        texts.push(record);
        continue;
      }
      close();
      slides.push({
        persistId: stream.readUInt32LE(record.start),
        slideId: stream.readUInt32LE(record.start + 12),
        outline: [],
      });
    }
    close();
  }
  return slides;
}

const outlineOnly = (outline: readonly PptText[]): PlacedContent[] =>
  outline.map((text) => ({ text, frame: undefined }));

function notesOf(
  stream: Buffer,
  slide: PptRecord,
  notes: ReadonlyMap<number, number>,
  directory: PersistDirectory,
): PptRecord | undefined {
  for (const atom of recordsOfType(stream, slide, RecordType.slideAtom)) {
    if (atom.end - atom.start < 20) continue;
    const persistId = notes.get(stream.readUInt32LE(atom.start + 16));
    return persistId === undefined ? undefined : liveRecord(stream, directory.offsets.get(persistId), RecordType.notes);
  }
  return undefined;
}

function notesBlocks(stream: Buffer, notesPage: PptRecord | undefined, page: number): BlockDraft[] {
  if (!notesPage) return [];
  return slideTexts(stream, notesPage, [])
    .flatMap((content) => ('text' in content && content.text.type === NOTES_TEXT ? [plainTextOf(content.text)] : []))
    .filter((text) => text !== '')
    .map((text) => ({ type: 'footnote', text: `Notes: ${text}`, page }));
}

const NOTHING_SHARED: SharedContent = { addresses: new Map(), graphs: new Map() };

/** Reads the slides in stream order, which may include deleted ones. */
function slidesInStreamOrder(stream: Buffer): ParsedContent {
  const blocks: BlockDraft[] = [];
  let page = 0;
  for (const record of recordsBetween(stream, 0, stream.length)) {
    if (record.type !== RecordType.slide) continue;
    page += 1;
    blocks.push(...slideBlocks(slideTexts(stream, record, []), page, undefined, NOTHING_SHARED));
  }
  const warnings =
    page > 0
      ? [
          contentWarning(
            'simplified',
            'The order of the slides is damaged; they are in the order in which they were saved',
          ),
        ]
      : [];
  return { blocks, pageCount: page, title: null, warnings: blocks.length > 0 ? warnings : [] };
}
