/** Parser for answers of the S3 API. */
import { SaxesParser } from 'saxes';
import { SourceUnavailable } from '../../connector-error.ts';

export interface ListedObject {
  key: string;
  etag: string;
  sizeBytes: number;
  modifiedAt: string;
  storageClass: string;
}

export interface ListedPage {
  objects: ListedObject[];
  /** Null if the answer does not say it. */
  isTruncated: boolean | null;
  /** Continues the listing; null from a server without tokens. */
  continuationToken: string | null;
  /** Continues the listing of a server with the first version of the interface; null if it names none. */
  nextMarker: string | null;
}

/** Returns the texts of all elements by their path from the root, in the order of the document. */
function elementsOf(xml: string, onText: (path: string, text: string) => void): boolean {
  const parser = new SaxesParser({ xmlns: false });
  const open: string[] = [];
  const texts: string[] = [];
  let isWhole = false;
  parser.on('error', () => undefined);
  parser.on('opentag', ({ name }) => {
    open.push(name.replace(/^.*:/, ''));
    texts.push('');
  });
  parser.on('text', (text) => {
    if (texts.length > 0) texts.push(`${texts.pop() ?? ''}${text}`);
  });
  parser.on('cdata', (text) => {
    if (texts.length > 0) texts.push(`${texts.pop() ?? ''}${text}`);
  });
  parser.on('closetag', () => {
    onText(open.join('/'), texts.pop() ?? '');
    open.pop();
    if (open.length === 0) isWhole = true;
  });
  parser.write(xml).close();
  return isWhole;
}

const OBJECT = 'ListBucketResult/Contents';

const emptyObject = (): ListedObject => ({ key: '', etag: '', sizeBytes: 0, modifiedAt: '', storageClass: '' });

/**
 * Parses a page of ListObjectsV2. Characters that XML does not allow are accepted, as some servers write them. Throws
 * `SourceUnavailable` if the document is cut.
 */
export function parseListing(xml: string): ListedPage {
  const objects: ListedObject[] = [];
  let object = emptyObject();
  let isTruncated: boolean | null = null;
  let continuationToken: string | null = null;
  let nextMarker: string | null = null;
  let isEncoded = false;
  const isWhole = elementsOf(xml, (path, text) => {
    if (path === `${OBJECT}/Key`) object.key = text;
    else if (path === `${OBJECT}/ETag`) object.etag = text;
    else if (path === `${OBJECT}/Size`) object.sizeBytes = Number(text);
    else if (path === `${OBJECT}/LastModified`) object.modifiedAt = text;
    else if (path === `${OBJECT}/StorageClass`) object.storageClass = text;
    else if (path === 'ListBucketResult/IsTruncated') isTruncated = text.trim() === 'true';
    else if (path === 'ListBucketResult/NextContinuationToken') continuationToken = text || null;
    else if (path === 'ListBucketResult/NextMarker') nextMarker = text || null;
    else if (path === 'ListBucketResult/EncodingType') isEncoded = text === 'url';
    else if (path === OBJECT) {
      objects.push(object);
      object = emptyObject();
    }
  });
  if (!isWhole || !xml.includes('ListBucketResult')) {
    throw new SourceUnavailable('the listing of the bucket is not complete');
  }
  // Servers that ignore the requested encoding do not repeat its name.
  const decode = (key: string): string => (isEncoded ? decodeURIComponent(key.replaceAll('+', ' ')) : key);
  return {
    objects: objects.map((each) => ({ ...each, key: decode(each.key) })),
    isTruncated,
    continuationToken,
    nextMarker: nextMarker === null ? null : decode(nextMarker),
  };
}

export interface ServiceError {
  code: string;
  message: string;
  region: string | null;
}

/** Parses the document of an error. Its fields are empty if the body is no such document. */
export function parseError(xml: string): ServiceError {
  const error: ServiceError = { code: '', message: '', region: null };
  elementsOf(xml, (path, text) => {
    if (path === 'Error/Code') error.code = text;
    if (path === 'Error/Message') error.message = text;
    if (path === 'Error/Region') error.region = text;
  });
  return error;
}
