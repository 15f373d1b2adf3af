/** Downloads files of the model hub by repository and revision. The caller provides the HTTP request. */
import { join } from 'node:path';
import { stat } from 'node:fs/promises';
import { z } from 'zod';
import type { HubSource, PinnedFile } from '../catalogue.ts';
import { SourceError, storePinned, type SourceOptions } from './source.ts';

/** Sends a GET, follows redirects and returns the body of a 200. Rejects for other responses. */
export type FetchFile = (url: string, signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>>;

export const DEFAULT_HUB = 'https://huggingface.co';
/** Time limit for the first response: networks without a route to the hub often drop packets silently. */
const PROBE_MS = 3000;

/** Downloads the files that are not yet stored completely. */
export async function downloadFromHub(
  source: HubSource,
  hubUrl: string,
  folder: string,
  fetchFile: FetchFile,
  options: SourceOptions,
): Promise<void> {
  for (const file of source.files) {
    if (await isStored(join(folder, file.name), file)) continue;
    const url = `${hubUrl.replace(/\/$/, '')}/${source.repository}/resolve/${source.revision}/${file.path}`;
    await storePinned(await openWithin(PROBE_MS, url, fetchFile, options.signal), file, folder, options);
  }
}

const listingSchema = z.array(
  z.object({ path: z.string(), lfs: z.object({ oid: z.string(), size: z.int() }).optional() }),
);
/** Maximum size of the list of a repository's files. */
const MAX_LISTING_BYTES = 4 * 1024 * 1024;

/** Returns the SHA-256 and the size that the hub states for a large file of a repository. Throws `SourceError`. */
export async function hashInHub(
  repository: string,
  file: string,
  hubUrl: string,
  fetchFile: FetchFile,
  signal: AbortSignal,
): Promise<Pick<PinnedFile, 'sha256' | 'sizeBytes'>> {
  const url = `${hubUrl.replace(/\/$/, '')}/api/models/${repository}/tree/main?recursive=true`;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of await openWithin(PROBE_MS, url, fetchFile, signal)) {
    length += chunk.length;
    if (length > MAX_LISTING_BYTES) throw new SourceError(`the list of ${repository} is too long`);
    chunks.push(chunk);
  }
  const listing = listingSchema.safeParse(readJson(Buffer.concat(chunks).toString('utf8')));
  if (!listing.success) throw new SourceError(`the hub gave no list of the files of ${repository}`);
  const found = listing.data.find((each) => each.path === file)?.lfs;
  if (found === undefined || !/^[0-9a-f]{64}$/u.test(found.oid)) {
    throw new SourceError(`${repository} has no file ${file} with a hash`, { answered: true });
  }
  return { sha256: found.oid, sizeBytes: found.size };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `storePinned` renames only pinned files to their place, so comparing the size is sufficient. */
async function isStored(place: string, file: PinnedFile): Promise<boolean> {
  try {
    return (await stat(place)).size === file.sizeBytes;
  } catch {
    return false;
  }
}

/** Limits the time until the response begins, but not the duration of its body. */
async function openWithin(
  ms: number,
  url: string,
  fetchFile: FetchFile,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const probe = new AbortController();
  const timer = setTimeout(() => probe.abort(new SourceError(`no answer within ${ms / 1000} s`)), ms);
  try {
    return await fetchFile(url, AbortSignal.any([signal, probe.signal]));
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
