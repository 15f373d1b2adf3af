import type { Document } from '../api.ts';
import type { CallOptions, RawAnswer, Request, Transport } from '../transport.ts';
import { formBody, rawBody } from './body.ts';
import { sendWithProgress } from './browser.ts';
import type { OnProgress } from './progress.ts';
import type { FileSource } from './source.ts';

export type Duplicates = 'allow' | 'skip' | 'reject';

export interface SendOptions extends CallOptions {
  metadata?: Record<string, unknown>;
  /**
   * When the collection holds the same content already: `allow` adds it again, `skip` returns the document there,
   * `reject` fails with a `ConflictError`.
   */
  duplicates?: Duplicates;
  onProgress?: OnProgress;
}

/** Uploads one file. The status is 200 if `duplicates: 'skip'` found the content in the collection, else 202. */
export function sendFile(
  transport: Transport,
  method: 'POST' | 'PUT',
  base: string,
  file: FileSource,
  options: SendOptions,
): Promise<RawAnswer<{ data: Document }>> {
  const { metadata, duplicates, onProgress, signal, timeoutMs = 0 } = options;
  const isForm = metadata !== undefined;
  const content = isForm
    ? formBody({ metadata: JSON.stringify(metadata) }, 'file', file, onProgress)
    : rawBody(file, onProgress);
  const request: Request = {
    method,
    path: `${base}/${isForm ? 'file-multipart' : 'file-binary'}`,
    query: { duplicates },
    ...content,
    // A lost answer to an upload may mean that the document exists; only `skip` makes sending it again harmless.
    repeatable: duplicates === 'skip',
    ...sendWithProgress(onProgress, file.sizeBytes),
    signal,
    timeoutMs,
  };
  return transport.raw(request);
}
