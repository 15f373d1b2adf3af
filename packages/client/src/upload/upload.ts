import type { Document } from '../api.ts';
import type { CallOptions } from '../transport.ts';

export interface ReadyOptions extends CallOptions {
  /** Called with the record after each request, about every 20 seconds and when it is final. */
  onChange?: (document: Document) => void;
}

/**
 * An upload under way. Awaiting it gives the accepted record; `ready()` gives the searchable document and throws a
 * `FailedError` if processing fails.
 */
export type Upload = Promise<Document> & { ready(options?: ReadyOptions): Promise<Document> };

export function upload(
  sent: Promise<Document>,
  whenReady: (document: Document, options: ReadyOptions) => Promise<Document>,
): Upload {
  return Object.assign(sent, {
    ready: (options: ReadyOptions = {}) => sent.then((document) => whenReady(document, options)),
  });
}
