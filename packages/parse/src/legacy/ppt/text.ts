/** Reads the text of a shape or outline: a header with its role, the characters, and the styles of its paragraphs. */
import type { BlockDraft } from '@quire/blocks/block';
import { ListBuilder } from '../../office/build/list-builder.ts';
import { rangesOf, TextBuilder, type BuiltText } from '../../office/build/text-builder.ts';
import { linkedNumber, type Addresses } from './hyperlinks.ts';
import type { PptRecord } from './records.ts';
import { RecordType } from './records.ts';

/** `textType` of [MS-PPT] 2.9.76. */
const TITLES = new Set([0, 6]);
const BODIES = new Set([1, 7, 8]);
const SUBTITLE = 5;
/** Maximum length of a subtitle; longer text in a subtitle placeholder is body text. */
const MAX_SUBTITLE_CHARACTERS = 150;
export const NOTES_TEXT = 2;

export interface PptText {
  type: number;
  characters: string;
  /** Paragraph settings in order, with the number of characters that each covers. */
  runs: { count: number; level: number; bullet: boolean | undefined }[];
  /** Links over the characters; `number` is the number of the hyperlink in the document. */
  links: { start: number; end: number; number: number }[];
  /** True if the text has a placeholder for the slide number, the date or the footer. */
  hasPlaceholder: boolean;
}

const MARKS: ReadonlySet<number> = new Set([
  RecordType.slideNumberMark,
  RecordType.dateMark,
  RecordType.genericDateMark,
  RecordType.footerMark,
]);

/** Groups consecutive records into texts; each begins with its header. */
export function readTexts(stream: Buffer, records: Iterable<PptRecord>): PptText[] {
  const texts: PptText[] = [];
  let linked: number | undefined;
  for (const record of records) {
    if (record.type === RecordType.textHeader) {
      texts.push({
        type: stream.readUInt32LE(record.start),
        characters: '',
        runs: [],
        links: [],
        hasPlaceholder: false,
      });
      continue;
    }
    const text = texts.at(-1);
    if (!text) continue;
    if (MARKS.has(record.type)) text.hasPlaceholder = true;
    if (record.type === RecordType.interaction) linked = linkedNumber(stream, record);
    if (record.type === RecordType.linkedRange && linked !== undefined && record.end - record.start >= 8) {
      const [start, end] = [stream.readUInt32LE(record.start), stream.readUInt32LE(record.start + 4)];
      text.links.push({ start, end, number: linked });
      linked = undefined;
    }
    const bytes = stream.subarray(record.start, record.end);
    if (record.type === RecordType.textCharacters) text.characters = bytes.toString('utf16le');
    else if (record.type === RecordType.textBytes) text.characters = bytes.toString('latin1');
    else if (record.type === RecordType.textStyle) text.runs = readParagraphRuns(bytes, text.characters.length + 1);
  }
  return texts;
}

/** Fields of a paragraph style after its mask, in file order: the bits that announce them, and their size. */
const BULLET_FLAGS = 0xf;
const FIELDS: readonly (readonly [mask: number, bytes: number])[] = [
  [0x80, 2],
  [0x10, 2],
  [0x40, 2],
  [0x20, 4],
  [0x800, 2],
  [0x1000, 2],
  [0x2000, 2],
  [0x4000, 2],
  [0x100, 2],
  [0x400, 2],
  [0x8000, 2],
];
const TAB_STOPS = 0x100000;
const LATER_FIELDS: readonly (readonly [mask: number, bytes: number])[] = [
  [0x10000, 2],
  [0xe0000, 2],
  [0x200000, 2],
];

function readParagraphRuns(bytes: Buffer, characters: number): PptText['runs'] {
  const runs: PptText['runs'] = [];
  let covered = 0;
  let position = 0;
  while (covered < characters && position + 10 <= bytes.length) {
    const count = bytes.readUInt32LE(position);
    const level = bytes.readUInt16LE(position + 4);
    const mask = bytes.readUInt32LE(position + 6);
    position += 10;
    let bullet: boolean | undefined;
    if ((mask & BULLET_FLAGS) !== 0) {
      if (position + 2 > bytes.length) break;
      if ((mask & 1) !== 0) bullet = (bytes.readUInt16LE(position) & 1) !== 0;
      position += 2;
    }
    position += sizeOf(FIELDS, mask);
    if ((mask & TAB_STOPS) !== 0) {
      if (position + 2 > bytes.length) break;
      position += 2 + bytes.readUInt16LE(position) * 4;
    }
    position += sizeOf(LATER_FIELDS, mask);
    if (count === 0) break;
    runs.push({ count, level: Math.min(8, level), bullet });
    covered += count;
  }
  return runs;
}

const sizeOf = (fields: typeof FIELDS, mask: number): number =>
  fields.reduce((sum, [bit, size]) => sum + ((mask & bit) === 0 ? 0 : size), 0);

export const isTitle = (text: PptText): boolean => TITLES.has(text.type);

/** Returns the lines of a text, for notes. */
export const plainTextOf = ({ characters }: PptText): string => characters.replaceAll(/[\r\v]+/g, '\n').trim();

/** Returns the lines with their links, for table cells. */
export function textLines(text: PptText, addresses: Addresses): BlockDraft[] {
  let position = 0;
  return text.characters.split('\r').map((line) => {
    position += line.length + 1;
    return { type: 'paragraph', ...shownLine(line, position - line.length - 1, text, addresses) };
  });
}

/** Turns titles and subtitles into headings, and lines of bodies into bullets unless their style differs. */
export function textBlocks(text: PptText, addresses: Addresses): BlockDraft[] {
  // Slide numbers, dates and footers repeat on each slide.
  if (text.hasPlaceholder && /^\*?$/.test(text.characters.trim())) return [];
  const level = isTitle(text) ? 1 : text.type === SUBTITLE ? 2 : undefined;
  const heading = text.characters.replaceAll(/\s+/g, ' ').trim();
  if (level === 1 || (level === 2 && heading.length <= MAX_SUBTITLE_CHARACTERS)) {
    return heading === '' ? [] : [{ type: 'heading', level, text: heading }];
  }
  const blocks: BlockDraft[] = [];
  let list: ListBuilder | undefined;
  let position = 0;
  for (const line of text.characters.split('\r')) {
    const style = runAt(text.runs, position);
    position += line.length + 1;
    const content = shownLine(line, position - line.length - 1, text, addresses);
    if (content.text === '') continue;
    if (style?.bullet ?? BODIES.has(text.type)) {
      list ??= new ListBuilder();
      const known = list.lists.length;
      list.add({ level: style?.level ?? 0, ordered: false, content });
      blocks.push(...list.lists.slice(known));
    } else {
      list = undefined;
      blocks.push({ type: 'paragraph', text: content.text, ...rangesOf(content) });
    }
  }
  return blocks;
}

/** Returns the paragraph that begins at the position, with its links. */
function shownLine(line: string, position: number, { links }: PptText, addresses: Addresses): BuiltText {
  const builder = new TextBuilder();
  const own = links
    .map(({ start, end, number }) => ({ start: start - position, end: end - position, href: addresses.get(number) }))
    .filter(({ start, end }) => start < line.length && end > 0)
    .toSorted((a, b) => a.start - b.start);
  let written = 0;
  for (const { start, end, href } of own) {
    builder.append(line.slice(written, Math.max(written, start)));
    builder.openLink(href ?? '');
    builder.append(line.slice(Math.max(written, start), Math.max(written, end)));
    builder.closeLink();
    written = Math.max(written, end);
  }
  builder.append(line.slice(written));
  const built = builder.finish();
  return { ...built, text: built.text.replaceAll('\u000b', '\n') };
}

function runAt(runs: PptText['runs'], position: number): PptText['runs'][number] | undefined {
  let end = 0;
  for (const run of runs) {
    end += run.count;
    if (position < end) return run;
  }
  return undefined;
}
