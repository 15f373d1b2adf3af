/** Reads the EXIF fields that describe a photograph in words: camera, time, description. All others are ignored. */
interface Tag {
  label: string;
  directory: 'main' | 'exif';
}

const EXIF_POINTER = 0x8769;
const TAGS: ReadonlyMap<number, Tag> = new Map([
  [0x010e, { label: 'Description', directory: 'main' }],
  [0x010f, { label: 'Camera maker', directory: 'main' }],
  [0x0110, { label: 'Camera', directory: 'main' }],
  [0x0131, { label: 'Software', directory: 'main' }],
  [0x0132, { label: 'Changed', directory: 'main' }],
  [0x013b, { label: 'Artist', directory: 'main' }],
  [0x8298, { label: 'Copyright', directory: 'main' }],
  [0x9003, { label: 'Taken', directory: 'exif' }],
  [0xa434, { label: 'Lens', directory: 'exif' }],
]);
const ASCII = 2;
/** Maximum length of a value; longer ones are binary notes of the camera maker. */
const MAX_LENGTH = 1000;
const MAX_ENTRIES = 500;

export interface ExifField {
  label: string;
  value: string;
}

/**
 * Accepts EXIF as sharp returns it, with or without the `Exif\0\0` prefix. Damaged fields are left out; never throws.
 */
export function readExif(exif: Buffer): ExifField[] {
  const tiff = exif.toString('latin1', 0, 4) === 'Exif' ? exif.subarray(6) : exif;
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return [];
  const reader = new TiffReader(tiff, order === 'II');
  const main = reader.directory(reader.uint32(4), 'main');
  const exifAt = main.pointer;
  const fields = [...main.fields, ...(exifAt === null ? [] : reader.directory(exifAt, 'exif').fields)];
  return fields.filter((field, index) => fields.findIndex(({ label }) => label === field.label) === index);
}

class TiffReader {
  private readonly bytes: Buffer;
  private readonly littleEndian: boolean;

  constructor(bytes: Buffer, littleEndian: boolean) {
    this.bytes = bytes;
    this.littleEndian = littleEndian;
  }

  /** Returns 0 beyond the end. */
  uint32(at: number): number {
    if (at + 4 > this.bytes.length) return 0;
    return this.littleEndian ? this.bytes.readUInt32LE(at) : this.bytes.readUInt32BE(at);
  }

  uint16(at: number): number {
    if (at + 2 > this.bytes.length) return 0;
    return this.littleEndian ? this.bytes.readUInt16LE(at) : this.bytes.readUInt16BE(at);
  }

  directory(start: number, name: Tag['directory']): { fields: ExifField[]; pointer: number | null } {
    const fields: ExifField[] = [];
    let pointer: number | null = null;
    const entries = Math.min(this.uint16(start), MAX_ENTRIES);
    for (let at = start + 2; at < start + 2 + entries * 12; at += 12) {
      const tag = this.uint16(at);
      if (tag === EXIF_POINTER) pointer = this.uint32(at + 8);
      const known = TAGS.get(tag);
      if (known?.directory !== name || this.uint16(at + 2) !== ASCII) continue;
      const value = this.text(at);
      if (value !== '') fields.push({ label: known.label, value });
    }
    return { fields, pointer };
  }

  /** Values of up to four bytes are stored in the entry itself. */
  private text(entry: number): string {
    const length = this.uint32(entry + 4);
    if (length > MAX_LENGTH) return '';
    const from = length <= 4 ? entry + 8 : this.uint32(entry + 8);
    const raw = this.bytes.toString('utf8', from, from + length);
    // eslint-disable-next-line no-control-regex
    return raw.replaceAll(/[\u0000-\u001f\u007f\ufffd]+/g, ' ').trim();
  }
}
