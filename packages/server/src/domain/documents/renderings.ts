/**
 * Renderings of block trees that are too large for this process: they are made in the sandbox, kept gzipped in the
 * cache of page pictures, and sent as streams. Concurrent requests for one rendering make it once.
 */
import { pipeline, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import type { ContentError } from '@quire/blocks/content-error';
import type { ParseFormat } from '@quire/process/blocks';
import { MAX_RENDERING_LENGTH } from '@quire/process/render-tree';
import type { SandboxClient } from '@quire/process/tasks/sandbox-client';
import type { DocumentRecord } from '../../database/tables.ts';
import { apiError, notFound, type ApiError } from '../../errors.ts';
import { picturesOf } from '../../storage/derived-pictures.ts';
import { storageKeys } from '../../storage/layout.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import type { PictureCache } from '../pages/picture-cache.ts';
import { SharedWork } from '../pages/shared-work.ts';
import type { Artifact } from './artifact.ts';

export interface DocumentRenderingsDeps {
  store: Pick<ObjectStore, 'get'>;
  cache: Pick<PictureCache, 'stat' | 'put'>;
  sandbox: Pick<SandboxClient, 'render'>;
  /** Time in ms since the epoch. */
  now: () => number;
  /** Called if a rendering could not be stored; it is sent anyway. */
  onNotStored: (error: unknown) => void;
}

export type Rendering = Pick<Artifact, 'sizeBytes' | 'open'>;

/** Part of the keys; to be increased with every change of the renderers. */
const VERSION = 1;
/** Gzip ends with the length of the data, modulo 2^32, which renderings do not reach. */
const LENGTH_BYTES = 4;
const CHUNK_BYTES = 64 * 1024;

export class DocumentRenderings {
  readonly #deps: DocumentRenderingsDeps;
  readonly #work: SharedWork<Buffer>;

  constructor(deps: DocumentRenderingsDeps) {
    this.#deps = deps;
    this.#work = new SharedWork({ now: deps.now, answerFor: renderingError });
  }

  /**
   * Returns a rendering of the document's searchable content; `readTree` returns its stored tree. Throws 413
   * `rendering_too_large`.
   */
  async get(document: DocumentRecord, format: ParseFormat, readTree: () => Promise<Buffer>): Promise<Rendering> {
    const { store, cache, sandbox, onNotStored } = this.#deps;
    const content = storageKeys.content(document, document.searchable_content_id ?? '');
    const key = `${picturesOf(content)}rendering-${VERSION}.${format}.gz`;
    const kept = await cache.stat(key);
    if (kept !== undefined) {
      const end = kept.sizeBytes - 1;
      const read = async (range?: readonly [number, number]): Promise<Readable> => {
        const stream = await store.get(key, range);
        if (stream === undefined) throw notFound();
        return stream;
      };
      return unpacked(await buffer(await read([end - LENGTH_BYTES + 1, end])), read);
    }
    const made = await this.#work.once(key, async () => {
      // All requests that wait share the rendering, so none of them ends it; the sandbox limits its time.
      const { signal } = new AbortController();
      const packed = await sandbox.render({ tree: await readTree(), format }, { signal });
      await cache.put(key, packed).catch(onNotStored);
      return packed;
    });
    return unpacked(made, async () => Readable.from([made]));
  }
}

/** `ending`: the last bytes of the gzipped rendering. */
function unpacked(ending: Buffer, read: () => Promise<Readable>): Rendering {
  return {
    sizeBytes: ending.readUInt32LE(ending.length - LENGTH_BYTES),
    open: async (range) => {
      const text = createGunzip({ chunkSize: CHUNK_BYTES });
      // A failure on either side ends the other; the reader of the text receives it.
      pipeline(await read(), text, () => undefined);
      return range === undefined ? text : Readable.from(sliced(text, range));
    },
  };
}

/** `range`: first and last byte. */
async function* sliced(stream: Readable, [first, last]: readonly [number, number]): AsyncGenerator<Buffer> {
  let at = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const part = chunk.subarray(Math.max(0, first - at), Math.max(0, last + 1 - at));
    at += chunk.length;
    if (part.length > 0) yield part;
    if (at > last) return;
  }
}

/** A rendering that takes too long is too large as well. */
export function renderingError({ type, message }: ContentError): ApiError {
  if (type === 'too_large' || type === 'timeout') {
    const limit = MAX_RENDERING_LENGTH;
    return apiError(413, 'rendering_too_large', message, { ctx: { limit } });
  }
  return apiError(503, 'unavailable', `The document cannot be rendered: ${message}`, { ctx: { reason: type } });
}
