/** Parser for the answer to PROPFIND, fed with the parts of the response. */
import { SaxesParser } from 'saxes';

export interface DavResource {
  href: string;
  /** 200 with properties; else the status of the resource, or 0 if the server did not return its properties. */
  status: number;
  isFolder: boolean;
  etag: string;
  sizeBytes: number | null;
  modified: string;
  contentType: string;
}

interface Properties extends Omit<DavResource, 'href' | 'status'> {
  status: number;
}

const noProperties = (): Properties => ({
  isFolder: false,
  etag: '',
  sizeBytes: null,
  modified: '',
  contentType: '',
  status: 0,
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
  /** Status of the current resource, where it has one in place of properties. */
  #status = 0;
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
    else if (path === `${prefix}/status`) this.#status = statusOf(text);
    else if (path === `${prefix}/propstat/status`) this.#properties.status = statusOf(text);
    else if (path === `${prefix}/propstat/prop/resourcetype/collection`) this.#properties.isFolder = true;
    else if (path === `${prefix}/propstat/prop/getetag`) this.#properties.etag = text;
    else if (path === `${prefix}/propstat/prop/getcontentlength`) this.#properties.sizeBytes = sizeOf(text);
    else if (path === `${prefix}/propstat/prop/getlastmodified`) this.#properties.modified = text;
    else if (path === `${prefix}/propstat/prop/getcontenttype`) this.#properties.contentType = text;
    else if (path === `${prefix}/propstat`) this.#endProperties();
    else if (path === prefix) this.#endResource();
  }

  #endProperties(): void {
    const { status } = this.#properties;
    if (status === 200 || this.#found.status !== 200) this.#found = this.#properties;
    this.#properties = noProperties();
  }

  #endResource(): void {
    // The status 404 of properties does not say that the resource is missing.
    const status = this.#status || (this.#found.status === 404 ? 0 : this.#found.status);
    this.resources.push({ ...this.#found, href: this.#href, status });
    this.#status = 0;
    this.#found = noProperties();
    this.#href = '';
  }
}

const statusOf = (text: string): number => Number(/^HTTP\/\d(?:\.\d)? (\d{3})\b/.exec(text)?.[1] ?? 0);

const sizeOf = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);
