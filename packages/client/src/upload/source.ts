/** Files to send: from a path, memory, a browser's file picker or a stream, with one interface. */
import { openPath } from './node-files.ts';
import { toStream, type ByteStream } from './stream.ts';

type Content = Blob | ArrayBuffer | Uint8Array | string | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * A file to send: a `File`, a path (Node, Bun, Deno), or a name with its content (text, bytes, `Blob` or stream). Files
 * of a path and streams are sent in pieces and never held in memory.
 */
export type FileInput = File | string | { name: string; content: Content; type?: string };

export interface FileSource {
  name: string;
  /** Content type; empty if unknown, then the service derives it. */
  type: string;
  /** Undefined for streams. */
  sizeBytes: number | undefined;
  /** Whether the content can be read only once, so that a failed request cannot be repeated. */
  once: boolean;
  /** Content in memory, or a handle of the browser. */
  blob: Blob | undefined;
  stream: () => ByteStream;
}

/** Returns the name of an input without opening it. */
export const inputName = (input: FileInput): string =>
  typeof input === 'string' ? (input.split(/[\\/]/).pop() ?? input) : input.name;

/** Throws a `TypeError` if the input is no file. */
export async function fileSource(input: FileInput | FileSource): Promise<FileSource> {
  if (typeof input === 'object' && 'stream' in input && 'once' in input) return input;
  if (typeof input === 'string') return openPath(input);
  if (input instanceof Blob) return ofBlob(input, input.name, '');
  const { name, content, type = '' } = input;
  if (typeof name !== 'string' || name === '' || content === undefined)
    throw new TypeError('a file is a File, a path or { name, content }');
  if (content instanceof Blob) return ofBlob(content, name, type);
  if (typeof content === 'string' || content instanceof ArrayBuffer || content instanceof Uint8Array)
    return ofBlob(new Blob([content as BlobPart]), name, type);
  return { name, type, sizeBytes: undefined, once: true, blob: undefined, stream: () => toStream(content) };
}

function ofBlob(blob: Blob, name: string | undefined, type: string): FileSource {
  if (name === undefined) throw new TypeError('a Blob needs { name, content: blob }');
  return { name, type: type || blob.type, sizeBytes: blob.size, once: false, blob, stream: () => blob.stream() };
}
