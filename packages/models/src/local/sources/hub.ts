/** The model hub: files by repository and revision over https. The request itself is made by the outbound HTTP module. */
import { join } from 'node:path';
import { stat } from 'node:fs/promises';
import type { HubSource, PinnedFile } from '../catalogue.ts';
import { SourceError, storePinned, type SourceOptions } from './source.ts';

/** GET with redirects followed; the body of a 200. Rejects for anything else. */
export type FetchFile = (url: string, signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>>;

export const DEFAULT_HUB = 'https://huggingface.co';
/** A network without a way to the hub often answers nothing at all. */
const PROBE_MS = 3000;

/** Files that are there already, whole, are not asked for again. */
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

/** `storePinned` puts a file in its place only when it is the pinned one, so the size tells enough. */
async function isStored(place: string, file: PinnedFile): Promise<boolean> {
  try {
    return (await stat(place)).size === file.sizeBytes;
  } catch {
    return false;
  }
}

/** The limit is for the answer to begin; how long the body takes is up to the network. */
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
