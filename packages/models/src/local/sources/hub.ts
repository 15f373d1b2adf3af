/** Downloads files of the model hub by repository and revision. The caller provides the HTTP request. */
import { join } from 'node:path';
import { stat } from 'node:fs/promises';
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
