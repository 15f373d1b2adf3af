/** Parser for the answer to PROPFIND, fed with the parts of the response. */
import { SaxesParser } from 'saxes';

export interface DavResource {
  href: string;
  isFolder: boolean;
  etag: string;
  sizeBytes: number | null;
  modified: string;
  contentType: string;
}

interface Properties extends Omit<DavResource, 'href'> {
  status: string;
}

const noProperties = (): Properties => ({
  isFolder: false,
  etag: '',
  sizeBytes: null,
  modified: '',
  contentType: '',
  status: '',
});

/** Reads `DAV:` elements with their namespaces. */
export class MultistatusParser {
  readonly resources: DavResource[] = [];
  #isWhole = false;
  readonly #parser = new SaxesParser({ xmlns: true });
  readonly #open: string[] = [];
  #text = '';
  #href = '';
  #properties = noProperties();
  /** Properties of the current resource that have the status 200. */
  #found = noProperties();

  constructor() {
    this.#parser.on('opentag', ({ uri, local }) => {
      this.#open.push(uri === 'DAV:' ? local : '?');
      this.#text = '';
    });
    const append = (part: string): void => void (this.#text += part);
    this.#parser.on('text', append);
    this.#parser.on('cdata', append);
    this.#parser.on('closetag', () => this.#close());
  }

  /** Throws for malformed XML. */
  write(part: string): void {
    this.#parser.write(part);
  }

  /** Returns whether the document has ended. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  #close(): void {
    const path = this.#open.join('/');
    this.#open.pop();
    const text = this.#text.trim();
    this.#text = '';
    const prefix = 'multistatus/response';
    if (path === 'multistatus') this.#isWhole = true;
    else if (path === `${prefix}/href`) this.#href = text;
    else if (path === `${prefix}/propstat/status`) this.#properties.status = text;
    else if (path === `${prefix}/propstat/prop/resourcetype/collection`) this.#properties.isFolder = true;
    else if (path === `${prefix}/propstat/prop/getetag`) this.#properties.etag = text;
    else if (path === `${prefix}/propstat/prop/getcontentlength`) this.#properties.sizeBytes = sizeOf(text);
    else if (path === `${prefix}/propstat/prop/getlastmodified`) this.#properties.modified = text;
    else if (path === `${prefix}/propstat/prop/getcontenttype`) this.#properties.contentType = text;
    else if (path === `${prefix}/propstat`) this.#endProperties();
    else if (path === prefix) this.#endResource();
  }

  #endProperties(): void {
    if (/^HTTP\/\d(?:\.\d)? 200\b/.test(this.#properties.status)) this.#found = this.#properties;
    this.#properties = noProperties();
  }

  #endResource(): void {
    const { isFolder, etag, sizeBytes, modified, contentType } = this.#found;
    this.resources.push({ href: this.#href, isFolder, etag, sizeBytes, modified, contentType });
    this.#found = noProperties();
    this.#href = '';
  }
}

const sizeOf = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);
