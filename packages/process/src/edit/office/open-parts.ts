/**
 * Holds the XML parts of an office file during an edit. A part is decoded once and written back only when it changed.
 */
import { decodeXml } from '@quire/parse/office/xml/decode-xml';
import type { OfficePackage } from '@quire/parse/office/package/office-package';
import type { PartChanges } from './package-writer.ts';

/** Parts without text of the document. */
const NO_TEXT =
  /(?:^|\/)(?:theme|_rels|media|embeddings|customXml|docProps|META-INF|charts\/(?:style|colors)\d*\.xml|settings\.xml|webSettings\.xml|fontTable\.xml|numbering\.xml|manifest\.rdf|Configurations2|Thumbnails)/i;
const OOXML_STYLES = /^(?:word|xl)\/styles[^/]*\.xml$/i;
const WORKSHEET = /^xl\/worksheets\/[^/]+\.xml$/i;

interface OpenPart {
  text: string;
  encoding: 'utf8' | 'utf16le';
  marked: boolean;
}

export class OpenParts {
  readonly officePackage: OfficePackage;
  readonly #open = new Map<string, OpenPart>();
  readonly #changed = new Set<string>();
  readonly #removed = new Set<string>();

  constructor(officePackage: OfficePackage) {
    this.officePackage = officePackage;
  }

  /** Returns the names of the parts that may hold text of the document, in package order. */
  textParts(): string[] {
    return this.officePackage.names().filter((name) => this.#mayHoldText(name));
  }

  has(name: string): boolean {
    return this.officePackage.has(name) && !this.#removed.has(name);
  }

  read(name: string): string {
    return this.#part(name).text;
  }

  write(name: string, text: string): void {
    this.#part(name).text = text;
    this.#changed.add(name);
  }

  remove(name: string): void {
    this.#removed.add(name);
    this.#changed.delete(name);
  }

  changes(): PartChanges {
    const written = new Map<string, Uint8Array>();
    for (const name of this.#changed) written.set(name, encode(this.#part(name)));
    return { written, removed: this.#removed };
  }

  #part(name: string): OpenPart {
    let part = this.#open.get(name);
    if (part === undefined) {
      part = decode(this.officePackage.bytes(name));
      this.#open.set(name, part);
    }
    return part;
  }

  #mayHoldText(name: string): boolean {
    if (!/\.xml$/i.test(name) || name === '[Content_Types].xml' || this.#removed.has(name)) return false;
    if (NO_TEXT.test(name) || OOXML_STYLES.test(name)) return false;
    // Cells usually refer to the shared strings; few sheets hold text themselves.
    return !WORKSHEET.test(name) || this.read(name).includes('<is');
  }
}

function decode(bytes: Buffer): OpenPart {
  const text = [...decodeXml([bytes])].join('');
  const wide = bytes.length > 1 && (bytes[0] === 0xff || bytes[0] === 0xfe || bytes[0] === 0 || bytes[1] === 0);
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb;
  return { text, encoding: wide ? 'utf16le' : 'utf8', marked: marked || wide };
}

/**
 * Encodes the part in the encoding that it was read in. Encodings other than Unicode become UTF-8, and the XML
 * declaration is updated.
 */
function encode({ text, encoding, marked }: OpenPart): Buffer {
  const declared = encoding === 'utf8' ? text.replace(/^(<\?xml[^>]*encoding\s*=\s*["'])[\w.:-]+/, '$1UTF-8') : text;
  return Buffer.from(`${marked ? '\ufeff' : ''}${declared}`, encoding);
}
