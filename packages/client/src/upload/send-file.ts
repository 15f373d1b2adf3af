import type { Document, Schemas } from '../api.ts';
import type { CallOptions, RawAnswer, Request, Transport } from '../transport.ts';
import { formBody, rawBody } from './body.ts';
import { sendWithProgress } from './browser.ts';
import type { OnProgress } from './progress.ts';
import type { FileSource } from './source.ts';

export type Duplicates = 'allow' | 'skip' | 'reject';

/** The fields of a document that are sent beside its file; the name is sent with the file. */
type FormFields = Omit<Schemas['DocumentForm'], 'file' | 'name'>;

export interface SendOptions extends CallOptions, FormFields {
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
  const { duplicates, onProgress, signal, timeoutMs = 0 } = options;
  const fields = formFields(options);
  const isForm = Object.keys(fields).length > 0;
  const content = isForm ? formBody(fields, 'file', file, onProgress) : rawBody(file, onProgress);
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

/** Returns the given fields as parts of a form. */
function formFields({ metadata }: FormFields): Record<string, string> {
  const parts: Record<keyof FormFields, string | undefined> = { metadata: JSON.stringify(metadata) };
  // JSON has no undefined, neither as a value above nor as a field here.
  return JSON.parse(JSON.stringify(parts)) as Record<string, string>;
}
