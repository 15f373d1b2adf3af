/** Writes minimal Word binary files with given paragraphs for tests, after the tables of [MS-DOC]. */
import CFB from 'cfb';

export interface TestParagraph {
  /** Text without the end mark. */
  text: string;
  /** End mark: `\r`, or `\u0007` at the end of a cell or row. */
  end?: string;
  /** Number of the style; 1 is "heading 1". */
  style?: number;
  /** Property codes with their operands. */
  properties?: Buffer;
}

const PAGE = 512;
const TEXT_AT = 1024;

/** Text parts after the main text, and tables by their number in the header. */
interface TestParts {
  /** Length of each part by its index in the header: 4 comments, 6 text boxes. */
  lengths: Readonly<Record<number, number>>;
  tables: readonly (readonly [number: number, bytes: Buffer])[];
  /** The only characters with own properties. */
  characters?: { start: number; end: number; properties: Buffer };
  /** Further streams of the file by path. */
  streams?: Readonly<Record<string, Buffer>>;
}

/** Builds a PLC: positions followed by structures of one size; the last position has none. */
export function plc(positions: readonly number[], ...structures: Buffer[]): Buffer {
  const bytes = Buffer.alloc(positions.length * 4);
  positions.forEach((position, index) => bytes.writeUInt32LE(position, index * 4));
  return Buffer.concat([bytes, ...structures]);
}

/** Builds a Word 97 file: one piece of UTF-16 text, one page of paragraph properties, two styles. */
export function word97File(
  paragraphs: readonly TestParagraph[],
  flags = 0,
  parts: TestParts = { lengths: {}, tables: [] },
): Uint8Array {
  const text = paragraphs.map((each) => each.text + (each.end ?? '\r')).join('');
  const characters = Buffer.from(text, 'utf16le');
  const pageNumber = Math.ceil((TEXT_AT + characters.length) / PAGE);
  const document = Buffer.alloc((pageNumber + 2) * PAGE);
  characters.copy(document, TEXT_AT);
  paragraphPage(paragraphs, 2, 13).copy(document, pageNumber * PAGE);

  if (parts.characters) characterPage(parts.characters).copy(document, (pageNumber + 1) * PAGE);

  const styles = styleSheet();
  const pieces = Buffer.alloc(5 + 8 + 8);
  pieces.writeUInt8(2, 0);
  pieces.writeUInt32LE(16, 1);
  pieces.writeUInt32LE(text.length, 9);
  pieces.writeUInt32LE(TEXT_AT, 15);
  const runs = Buffer.alloc(12);
  runs.writeUInt32LE(pageNumber, 8);
  const characterRuns = Buffer.alloc(12);
  characterRuns.writeUInt32LE(pageNumber + 1, 8);
  const tablesOf = [...parts.tables, ...(parts.characters ? [[12, characterRuns] as const] : [])];
  const more = tablesOf.map(([, bytes]) => bytes);
  const tables = Buffer.concat([styles, pieces, runs, ...more, Buffer.alloc(4096)]);

  document.writeUInt16LE(0xa5ec, 0);
  document.writeUInt16LE(193, 2);
  document.writeUInt16LE(flags | 0x0200, 0x0a);
  const following = Object.values(parts.lengths).reduce((sum, length) => sum + length, 0);
  document.writeInt32LE(text.length - following, 0x4c);
  for (const [place, length] of Object.entries(parts.lengths)) document.writeInt32LE(length, 0x4c + Number(place) * 4);
  const locate = (index: number, offset: number, length: number): void => {
    document.writeUInt32LE(offset, 0x9a + index * 8);
    document.writeUInt32LE(length, 0x9a + index * 8 + 4);
  };
  locate(1, 0, styles.length);
  locate(33, styles.length, pieces.length);
  locate(13, styles.length + pieces.length, runs.length);
  let offset = styles.length + pieces.length + runs.length;
  for (const [number, bytes] of tablesOf) {
    locate(number, offset, bytes.length);
    offset += bytes.length;
  }
  return container({ WordDocument: document, '1Table': tables, ...parts.streams });
}

/** Builds a Word 6 file: contiguous 8-bit text, old property codes, no styles. */
export function word6File(paragraphs: readonly TestParagraph[], languageId: number, bytes: Uint8Array): Uint8Array {
  const pageNumber = Math.ceil((TEXT_AT + bytes.length) / PAGE);
  const document = Buffer.alloc((pageNumber + 8) * PAGE);
  document.set(bytes, TEXT_AT);
  paragraphPage(paragraphs, 1, 7).copy(document, pageNumber * PAGE);
  document.writeUInt16LE(0xa5dc, 0);
  document.writeUInt16LE(101, 2);
  document.writeUInt16LE(languageId, 6);
  document.writeUInt32LE(TEXT_AT, 0x18);
  document.writeInt32LE(bytes.length, 0x34);
  const runsAt = (pageNumber + 1) * PAGE;
  document.writeUInt16LE(pageNumber, runsAt + 8);
  document.writeUInt32LE(runsAt, 0xc0);
  document.writeUInt32LE(10, 0xc4);
  return container({ WordDocument: document });
}

export function container(streams: Record<string, Buffer>): Uint8Array {
  const file = CFB.utils.cfb_new();
  for (const [name, bytes] of Object.entries(streams)) CFB.utils.cfb_add(file, `/${name}`, bytes);
  return new Uint8Array(CFB.write(file, { type: 'array' }));
}

/** Builds a page of character properties: a run before the characters, and their run. */
function characterPage({ start, end, properties }: NonNullable<TestParts['characters']>): Buffer {
  const page = Buffer.alloc(PAGE);
  [0, start, end].forEach((character, index) => page.writeUInt32LE(TEXT_AT + character * 2, index * 4));
  const offset = 100;
  page.writeUInt8(0, 12);
  page.writeUInt8(offset / 2, 13);
  page.writeUInt8(properties.length, offset);
  properties.copy(page, offset + 1);
  page.writeUInt8(2, PAGE - 1);
  return page;
}

function paragraphPage(paragraphs: readonly TestParagraph[], characterBytes: number, entryBytes: number): Buffer {
  const page = Buffer.alloc(PAGE);
  let position = TEXT_AT;
  let free = PAGE - 1;
  paragraphs.forEach((paragraph, index) => {
    page.writeUInt32LE(position, index * 4);
    position += (paragraph.text.length + 1) * characterBytes;
    const list = Buffer.concat([Buffer.from([paragraph.style ?? 0, 0]), paragraph.properties ?? Buffer.alloc(0)]);
    const padded = list.length % 2 === 0 && entryBytes === 13 ? Buffer.concat([list, Buffer.alloc(1)]) : list;
    const even = entryBytes === 7 && padded.length % 2 === 1 ? Buffer.concat([padded, Buffer.alloc(1)]) : padded;
    free = (free - even.length - 1) & ~1;
    page.writeUInt8(entryBytes === 13 ? (even.length + 1) / 2 : even.length / 2, free);
    even.copy(page, free + 1);
    page.writeUInt8(free / 2, (paragraphs.length + 1) * 4 + index * entryBytes);
  });
  page.writeUInt32LE(position, paragraphs.length * 4);
  page.writeUInt8(paragraphs.length, PAGE - 1);
  return page;
}

function styleSheet(): Buffer {
  const header = Buffer.from([4, 0, 2, 0, 10, 0]);
  return Buffer.concat([header, style(0, 'Normal'), style(1, 'heading 1')]);
}

function style(builtIn: number, name: string): Buffer {
  const base = Buffer.alloc(10);
  base.writeUInt16LE(builtIn, 0);
  base.writeUInt16LE(0xfff1, 2);
  const length = Buffer.from([name.length, 0]);
  const body = Buffer.concat([base, length, Buffer.from(`${name}\0`, 'utf16le'), Buffer.from([2, 0, 0, 0])]);
  return Buffer.concat([Buffer.from([body.length, 0]), body]);
}
