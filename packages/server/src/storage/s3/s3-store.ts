/**
 * Objects in a bucket of an S3 service. Uploads are sent in parts of at least 5 MiB and become visible whole; each part
 * carries a checksum. Downloads continue after an interruption, and files for readers come from a bounded local cache.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  paginateListObjectsV2,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { checkKey, checkPrefix } from '../keys.ts';
import type { ListedObject, ObjectStat, ObjectStore } from '../object-store.ts';
import { download, type ReceivedObject } from './download.ts';
import { ObjectCache } from './object-cache.ts';
import { probeGuarantees } from './probe.ts';
import { connectS3, type S3ClientOptions } from './s3-client.ts';
import { isAbsent, isInterruption, isOutOfRange, ObjectCorrupted } from './s3-errors.ts';
import type { S3Location } from './s3-location.ts';

/** Minimum size of a part in the S3 API; a smaller object is sent in one request. */
const PART_BYTES = 5 * 1024 * 1024;
/** Maximum number of parts in the S3 API. */
const MAX_PARTS = 10_000;
/** Parts of one upload that are sent at a time. Each is held in memory. */
const CONCURRENT_PARTS = 2;
/** Age from which an unfinished upload belongs to a dead process. */
const ABANDONED_AGE_MS = 24 * 3_600_000;
const MAX_DOWNLOADS = 3;
const DELETE_BATCH = 1000;

export interface S3StoreOptions extends S3ClientOptions {
  location: S3Location;
  /** Folder of this process for local copies. */
  cacheDir: string;
  cacheBytes: number;
  now?: () => number;
}

type Encryption = Pick<PutObjectCommand['input'], 'ServerSideEncryption' | 'SSEKMSKeyId'>;

export class S3Store implements ObjectStore {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #encryption: Encryption;
  readonly #cache: ObjectCache;

  private constructor(client: S3Client, cache: ObjectCache, { bucket, prefix, encryption }: S3Location) {
    this.#client = client;
    this.#cache = cache;
    this.#bucket = bucket;
    this.#prefix = prefix;
    this.#encryption = {
      ...(encryption !== null && { ServerSideEncryption: encryption.algorithm }),
      ...(encryption?.kmsKeyId != null && { SSEKMSKeyId: encryption.kmsKeyId }),
    };
  }

  /**
   * Checks what the service guarantees, and ends uploads that dead processes have left. Throws `S3StoreUnusable` if the
   * service is unreachable, refuses the credentials or lacks a guarantee.
   */
  static async open(options: S3StoreOptions): Promise<S3Store> {
    const { location, now = Date.now } = options;
    const client = connectS3(location, options);
    try {
      const cache = await ObjectCache.open(options.cacheDir, options.cacheBytes);
      const store = new S3Store(client, cache, location);
      await probeGuarantees({ client, location, put: { ...store.#encryption } });
      await store.#abortAbandoned(now());
      return store;
    } catch (error) {
      client.destroy();
      throw error;
    }
  }

  async put(key: string, body: Readable | Buffer, signal?: AbortSignal): Promise<ObjectStat> {
    const target = this.#target(key);
    signal?.throwIfAborted();
    return Buffer.isBuffer(body) && body.length <= PART_BYTES
      ? this.#putBuffer(target, body, signal)
      : this.#upload(target, Buffer.isBuffer(body) ? Readable.from([body]) : body, PART_BYTES, signal);
  }

  async putFile(key: string, source: string, signal?: AbortSignal): Promise<ObjectStat> {
    const target = this.#target(key);
    signal?.throwIfAborted();
    const { size } = await stat(source);
    const partBytes = Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS));
    const stored =
      size <= PART_BYTES
        ? await this.#putBuffer(target, await readFile(source), signal)
        : await this.#upload(target, createReadStream(source, { highWaterMark: 1024 * 1024 }), partBytes, signal);
    await rm(source);
    return stored;
  }

  async get(key: string, range?: readonly [number, number], signal?: AbortSignal): Promise<Readable | undefined> {
    const target = this.#target(key);
    const [start, end] = range ?? [0, undefined];
    const from = async (offset: number, etag?: string): Promise<ReceivedObject> => {
      const begin = start + offset;
      const bytes = begin === 0 && end === undefined ? undefined : `bytes=${begin}-${end ?? ''}`;
      return this.#request(target, bytes, etag, signal);
    };
    signal?.throwIfAborted();
    try {
      const first = await from(0);
      const content = download(first, { resume: from, isWhole: range === undefined, signal });
      return Readable.from(content, { objectMode: false, ...(signal && { signal }) });
    } catch (error) {
      if (isAbsent(error)) return undefined;
      if (isOutOfRange(error)) return Readable.from([], { objectMode: false });
      throw error;
    }
  }

  async stat(key: string): Promise<ObjectStat | undefined> {
    const found = await this.#head(this.#target(key));
    return found && { sizeBytes: found.sizeBytes };
  }

  /** A local copy of the present content. It must not be written to. */
  async checkout(
    key: string,
    signal?: AbortSignal,
  ): Promise<{ path: string; release: () => Promise<void> } | undefined> {
    const target = this.#target(key);
    const found = await this.#head(target, signal);
    if (found === undefined) return undefined;
    try {
      return await this.#cache.checkout(
        {
          id: `${key} ${found.etag}`,
          bytes: found.sizeBytes,
          load: (file, aborted) => this.#load(key, file, aborted),
        },
        signal,
      );
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }

  async *list(prefix: string, signal?: AbortSignal): AsyncGenerator<ListedObject> {
    const input = { Bucket: this.#bucket, Prefix: `${this.#prefix}${checkPrefix(prefix)}` };
    for await (const page of paginateListObjectsV2({ client: this.#client }, input)) {
      for (const { Key, Size, LastModified } of page.Contents ?? []) {
        signal?.throwIfAborted();
        // A key with a trailing slash is a folder that another program has made.
        if (Key === undefined || LastModified === undefined || Key.endsWith('/')) continue;
        yield { key: Key.slice(this.#prefix.length), sizeBytes: Size ?? 0, modifiedAt: LastModified };
      }
    }
  }

  async delete(key: string): Promise<void> {
    try {
      await this.#client.send(new DeleteObjectCommand(this.#target(key)));
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
  }

  /** Deletes pages of 1,000 objects. Deleting again after a failure continues with the rest. */
  async deletePrefix(prefix: string): Promise<void> {
    const input = { Bucket: this.#bucket, Prefix: `${this.#prefix}${checkPrefix(prefix)}`, MaxKeys: DELETE_BATCH };
    let next: string | undefined;
    do {
      const page = await this.#client.send(new ListObjectsV2Command({ ...input, ContinuationToken: next }));
      const keys = (page.Contents ?? []).flatMap(({ Key }) => (Key === undefined ? [] : [{ Key }]));
      if (keys.length > 0) {
        const request = new DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Objects: keys, Quiet: true } });
        const failed = (await this.#client.send(request)).Errors?.[0];
        if (failed !== undefined) throw new Error(`An object could not be deleted: ${failed.Code} ${failed.Message}`);
      }
      next = page.IsTruncated === true ? page.NextContinuationToken : undefined;
    } while (next !== undefined);
  }

  async close(): Promise<void> {
    await this.#cache.close();
    this.#client.destroy();
  }

  #target(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: `${this.#prefix}${checkKey(key)}` };
  }

  async #putBuffer(target: { Bucket: string; Key: string }, body: Buffer, signal?: AbortSignal): Promise<ObjectStat> {
    const request = new PutObjectCommand({ ...target, ...this.#encryption, Body: body, ChecksumAlgorithm: 'CRC32' });
    await this.#client.send(request, signal && { abortSignal: signal });
    return { sizeBytes: body.length };
  }

  async #upload(
    target: { Bucket: string; Key: string },
    source: Readable,
    partSize: number,
    signal: AbortSignal | undefined,
  ): Promise<ObjectStat> {
    let sizeBytes = 0;
    const counted = Readable.from(
      (async function* () {
        for await (const chunk of source as AsyncIterable<Buffer>) {
          signal?.throwIfAborted();
          sizeBytes += chunk.length;
          yield chunk;
        }
      })(),
      { objectMode: false },
    );
    const upload = new Upload({
      client: this.#client,
      params: { ...target, ...this.#encryption, Body: counted, ChecksumAlgorithm: 'CRC32' },
      partSize,
      queueSize: CONCURRENT_PARTS,
    });
    const stop = (): void => void upload.abort();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      await upload.done();
      return { sizeBytes };
    } catch (error) {
      if (signal?.aborted === true) throw new DOMException('The upload was aborted', 'AbortError');
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
      source.destroy();
      counted.destroy();
    }
  }

  async #request(
    target: { Bucket: string; Key: string },
    range: string | undefined,
    etag: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ReceivedObject> {
    const request = new GetObjectCommand({ ...target, Range: range, IfMatch: etag });
    // Requests the stored checksum, which `download` compares: the SDK's own check cannot continue after a failure.
    request.middlewareStack.add(
      (next) => (args) => {
        (args.request as { headers: Record<string, string> }).headers['x-amz-checksum-mode'] = 'ENABLED';
        return next(args);
      },
      { step: 'build', name: 'requestChecksum' },
    );
    const { Body, ETag, ContentLength, ChecksumCRC32, ChecksumType } = await this.#client.send(
      request,
      signal && { abortSignal: signal },
    );
    return {
      body: Body as unknown as AsyncIterable<Uint8Array>,
      etag: ETag ?? '',
      bytes: ContentLength ?? 0,
      // A composite checksum is one of the checksums of the parts; it has a suffix in older services.
      crc32: ChecksumType === 'COMPOSITE' || ChecksumCRC32?.includes('-') ? null : (ChecksumCRC32 ?? null),
    };
  }

  async #head(
    target: { Bucket: string; Key: string },
    signal?: AbortSignal,
  ): Promise<{ sizeBytes: number; etag: string } | undefined> {
    try {
      const found = await this.#client.send(new HeadObjectCommand(target), signal && { abortSignal: signal });
      return { sizeBytes: found.ContentLength ?? 0, etag: found.ETag ?? '' };
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }

  /** Downloads an object to a file, and again if what arrived does not have its checksum. */
  async #load(key: string, file: string, signal: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const content = await this.get(key, undefined, signal);
        if (content === undefined) throw absent(key);
        await pipeline(content, createWriteStream(file, { mode: 0o600 }), { signal });
        return;
      } catch (error) {
        if (!(error instanceof ObjectCorrupted) || attempt === MAX_DOWNLOADS) throw error;
      }
    }
  }

  async #abortAbandoned(nowMs: number): Promise<void> {
    const Bucket = this.#bucket;
    let position: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {};
    try {
      for (let isTruncated = true; isTruncated;) {
        const request = new ListMultipartUploadsCommand({ Bucket, Prefix: this.#prefix, ...position });
        const page = await this.#client.send(request);
        for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
          if (Initiated === undefined || nowMs - Initiated.getTime() < ABANDONED_AGE_MS) continue;
          await this.#client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
        }
        position = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
        isTruncated = page.IsTruncated === true;
      }
    } catch (error) {
      // Credentials may lack this right, and some services do not list uploads: the space stays used, nothing is lost.
      if (isInterruption(error)) throw error;
    }
  }
}

const absent = (key: string): Error =>
  Object.assign(new Error(`There is no object ${key}`), { $metadata: { httpStatusCode: 404 } });
