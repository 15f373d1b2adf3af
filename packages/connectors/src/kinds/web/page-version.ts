/** Versions of pages and files of a site. */
import { createHash } from 'node:crypto';
import { contentLength, type SourceResponse } from '../../http/http-source.ts';

/** Maximum size of a page whose links are read, in bytes. */
const MAX_PAGE_BYTES = 5 * 1024 * 1024;
/** Part of a file that its version is computed from if the server sends no validator, in bytes. */
const HEAD_BYTES = 64 * 1024;

export interface Content {
  version: string;
  /** The whole page; null for a file. */
  page: Buffer | null;
  /** The bytes from the first on. Must be read or cancelled for a file. */
  body: AsyncIterable<Buffer>;
}

export const isPage = (contentType: string): boolean => /^(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType);

/**
 * Reads a page, or as much of a file as its version needs. The version of a page is its hash, as its validators often
 * change without it. The version of a file is its ETag, else its time and size, else a hash of its beginning and size.
 */
export async function readContent(response: SourceResponse): Promise<Content> {
  const { headers } = response;
  const etag = headers.etag;
  const modified = headers['last-modified'];
  const size = contentLength(response);
  if (!isPage(headers['content-type'] ?? '')) {
    if (etag !== undefined) return { version: etag, page: null, body: response.body };
    if (modified !== undefined) return { version: `${modified} ${size ?? ''}`, page: null, body: response.body };
  }
  const limit = isPage(headers['content-type'] ?? '') ? MAX_PAGE_BYTES : HEAD_BYTES;
  const parts = response.body[Symbol.asyncIterator]();
  const read: Buffer[] = [];
  let length = 0;
  let hasMore = true;
  while (hasMore && length <= limit) {
    const next = await parts.next();
    hasMore = next.done !== true;
    if (next.done === true) break;
    read.push(next.value);
    length += next.value.length;
  }
  const head = Buffer.concat(read);
  const hash = createHash('sha256')
    .update(hasMore ? head.subarray(0, limit) : head)
    .digest('hex');
  const page = !hasMore && isPage(headers['content-type'] ?? '') ? head : null;
  const version = hasMore ? `${hash} ${size ?? ''}` : hash;
  return { version, page, body: resumed(head, parts) };
}

async function* resumed(head: Buffer, rest: AsyncIterator<Buffer>): AsyncIterable<Buffer> {
  try {
    yield head;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
