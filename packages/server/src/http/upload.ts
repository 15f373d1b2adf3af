/**
 * Receives files: streams each to a spool file while computing its SHA-256 and size; a file is never held in memory. A
 * failed upload leaves no spool file. `discard` removes the spool file of a successful one after the answer, unless the
 * object store has moved it.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { ApiError, type ErrorDetail } from '../errors.ts';
import type { Upload } from '../domain/documents/types.ts';
import { errorCode } from '@quire/shared/error-code';
import { removeIfPresent } from '@quire/shared/remove-if-present';
import { requireFreeSpace } from '@quire/shared/free-space';
import { readFileName } from './content-disposition.ts';
import { parseFileName } from './file-name.ts';
import type { Traffic } from './traffic/traffic.ts';
import { chunksOf, declaredLength, refuseTooLarge } from './request-body.ts';
import { MISSING, valueProblem, type Problem } from '../validation/problem.ts';

export interface UploadSettings {
  /** A folder on the file system of the object store, so that a finished file can be moved into it. */
  directory: string;
  maxFileBytes: number;
  /** Free disk space below which an upload is refused; no check when undefined. */
  minFreeBytes?: number | undefined;
  /** Budget of the fields of forms. */
  traffic?: Traffic | undefined;
}

/** Age above which a spool file belongs to a process that died. */
const ABANDONED_MS = 24 * 3_600_000;

type Spooled = Pick<Upload, 'path' | 'sizeBytes' | 'sha256'>;

/** Thrown by `spool` when the source exceeds the limit; the caller drains the request and answers 413. */
export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';
}

/** Writes the source to a new spool file. Throws `FileTooLarge`, or `StorageFull` when too little space is free. */
export async function spool(source: AsyncIterable<Buffer>, settings: UploadSettings): Promise<Spooled> {
  const file = path.join(settings.directory, `${randomUUID()}.part`);
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const handle = await openSpool(file, settings);
  try {
    for await (const chunk of source) {
      sizeBytes += chunk.length;
      if (sizeBytes > settings.maxFileBytes) throw new FileTooLarge();
      hash.update(chunk);
      // Other uploads write meanwhile; the space is measured ten times a second at most.
      await requireRoom(settings);
      await writeAll(handle, chunk);
    }
  } catch (error) {
    await handle.close();
    await rm(file, { force: true });
    throw error;
  }
  await handle.close();
  return { path: file, sizeBytes, sha256: hash.digest('hex') };
}

async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length;) written += (await handle.write(bytes, written)).bytesWritten;
}

async function requireRoom({ directory, minFreeBytes = 0 }: UploadSettings): Promise<void> {
  if (minFreeBytes > 0) await requireFreeSpace([directory], minFreeBytes);
}

/** Creates the file, and its folder if that has been removed. */
async function openSpool(file: string, settings: UploadSettings): Promise<FileHandle> {
  const folder = path.dirname(file);
  const create = async (): Promise<FileHandle> => {
    await requireRoom(settings);
    return open(file, 'wx', 0o600);
  };
  try {
    return await create();
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    await mkdir(folder, { recursive: true });
    return create();
  }
}

/** Removes the spool file. Usually the object store has moved it; the check is faster than a failed removal. */
export async function discard(upload: Pick<Upload, 'path'>): Promise<void> {
  if (!existsSync(upload.path)) return;
  await removeIfPresent(upload.path);
}

/** Receives the raw body as a file, named by `Content-Disposition`. */
export async function receiveBinary(
  request: FastifyRequest,
  contentType: string | undefined,
  settings: UploadSettings,
): Promise<Upload> {
  const name = nameFromHeader(request.headers['content-disposition']);
  if ((declaredLength(request.raw) ?? 0) > settings.maxFileBytes) {
    throw await refuseTooLarge(request.raw, 'file_too_large', settings.maxFileBytes);
  }
  const spooled = await spoolRequest(request, request.raw, settings);
  return { ...spooled, name, contentType: contentTypeHint(contentType) };
}

/**
 * Spools the request's body or a part of it. Drains the request before it throws, so that the client reads the answer.
 */
export async function spoolRequest(
  request: FastifyRequest,
  source: Readable,
  settings: UploadSettings,
): Promise<Spooled> {
  try {
    return await spool(chunksOf(source), settings);
  } catch (error) {
    if (!(error instanceof FileTooLarge)) {
      request.raw.unpipe();
      request.raw.resume();
      throw error;
    }
    throw await refuseTooLarge(request.raw, 'file_too_large', settings.maxFileBytes);
  }
}

function nameFromHeader(header: string | undefined): string {
  const refuse = (problem: Problem): ApiError => {
    const detail: ErrorDetail = { loc: ['header', 'content-disposition'], ...problem };
    return new ApiError(422, [problem.type === 'missing' ? detail : { ...detail, input: header }]);
  };
  if (header === undefined) throw refuse(MISSING);
  const given = readFileName(header);
  if (given === undefined) throw refuse(valueProblem('a filename is required').problem);
  const parsed = parseFileName(given);
  if ('problem' in parsed) throw refuse(parsed.problem);
  return parsed.value;
}

/** Returns the content type; null for the two that clients send by default. */
export function contentTypeHint(contentType: string | undefined): string | null {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return type === '' || type === 'application/octet-stream' || type === 'application/x-www-form-urlencoded'
    ? null
    : type;
}

/** Removes the spool files of processes that were killed during an upload. */
export async function removeAbandoned(settings: UploadSettings, nowMs: number): Promise<void> {
  await mkdir(settings.directory, { recursive: true });
  for (const name of await readdir(settings.directory)) {
    const file = path.join(settings.directory, name);
    const found = await stat(file).catch(() => undefined);
    if (found !== undefined && nowMs - found.mtimeMs > ABANDONED_MS) await rm(file, { force: true });
  }
}
