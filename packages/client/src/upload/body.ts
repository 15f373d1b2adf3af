/** Request bodies of files: raw, or as a multipart form with further fields. */
import { randomName } from '../random.ts';
import { isBrowser } from './browser.ts';
import type { FileSource } from './source.ts';
import type { OnProgress } from './progress.ts';
import { toStream } from './stream.ts';

export interface FileBody {
  headers: Record<string, string>;
  body: () => BodyInit;
  once: boolean;
}

/** Returns the bytes of a file as the whole body; its name is in the header. */
export function rawBody(file: FileSource, onProgress?: OnProgress): FileBody {
  const headers = {
    'content-type': file.type || 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encodeName(file.name)}`,
  };
  return { headers, once: file.once, body: () => countedBody(file, onProgress) };
}

/** RFC 5987 leaves fewer characters unencoded than `encodeURIComponent`, which throws on half a surrogate pair. */
const encodeName = (name: string): string =>
  encodeURIComponent(name.replace(/\p{Surrogate}/gu, '\ufffd')).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );

function countedBody(file: FileSource, onProgress: OnProgress | undefined): BodyInit {
  if (file.blob !== undefined && (onProgress === undefined || isBrowser())) return file.blob;
  return onProgress === undefined ? file.stream() : toStream(counted(file, onProgress));
}

async function* counted(file: FileSource, onProgress: OnProgress): AsyncGenerator<Uint8Array> {
  let sentBytes = 0;
  const reader = file.stream().getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
      sentBytes += value.length;
      onProgress({ sentBytes, totalBytes: file.sizeBytes });
    }
  } finally {
    // Has no effect on a stream that was read to its end.
    await reader.cancel();
  }
}

/** Returns a multipart form with text fields and one file. Streams are written as they are read. */
export function formBody(
  fields: Record<string, string>,
  part: string,
  file: FileSource,
  onProgress?: OnProgress,
): FileBody {
  if (file.blob !== undefined && (onProgress === undefined || isBrowser())) {
    const blob = file.type === '' ? file.blob : file.blob.slice(0, file.blob.size, file.type);
    const body = (): FormData => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      form.append(part, blob, file.name);
      return form;
    };
    return { headers: {}, once: false, body };
  }
  const boundary = `quire-${randomName()}`;
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  return { headers, once: file.once, body: () => toStream(multipart(boundary, fields, part, file, onProgress)) };
}

async function* multipart(
  boundary: string,
  fields: Record<string, string>,
  part: string,
  file: FileSource,
  onProgress: OnProgress = () => undefined,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const head = (name: string, rest = ''): string =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${rest}\r\n`;
  const texts = Object.entries(fields).map(([name, value]) => `${head(name)}\r\n${value}\r\n`);
  // Escaped as browsers do (HTML standard, multipart/form-data encoding algorithm).
  const name = file.name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const type = file.type || 'application/octet-stream';
  yield encoder.encode(`${texts.join('')}${head(part, `; filename="${name}"`)}content-type: ${type}\r\n\r\n`);
  yield* counted(file, onProgress);
  yield encoder.encode(`\r\n--${boundary}--\r\n`);
}
