/** Replaces the archives among a run's files by their members, at any depth, in the original order. */
import { ContentError } from '@quire/blocks/content-error';
import type { ParseLimits, SourceFile } from '@quire/parse/parser';
import type { SandboxClient } from './tasks/sandbox-client.ts';
import type { TempDirectories } from './temp-directories.ts';

export interface RunSource {
  /** Id of the uploaded file; null for a member of an archive. */
  fileId: string | null;
  /** The file's name, or the member's path in its archive. */
  name: string;
  /** Null when the file is not available; `failure` states the reason. */
  file: SourceFile | null;
  failure: { type: string; message: string } | null;
}

/** An uploaded file on local disk. */
export interface UploadedFile extends SourceFile {
  id: string;
}

export interface ExpandDeps {
  sandbox: Pick<SandboxClient, 'unpack'>;
  limits: ParseLimits;
  directories: Pick<TempDirectories, 'make'>;
}

export async function expandFiles(
  files: readonly UploadedFile[],
  deps: ExpandDeps,
  signal: AbortSignal,
): Promise<RunSource[]> {
  const sources: RunSource[] = [];
  for (const file of files) {
    if (file.format === 'zip') sources.push(...(await unpack(file, '', deps, signal)));
    else sources.push({ name: file.name, fileId: file.id, file, failure: null });
  }
  return uniqueNames(sources);
}

/** Unpacks an archive. `within` is the path of the archive inside the outer one, with a trailing slash. */
async function unpack(
  archive: SourceFile,
  within: string,
  deps: ExpandDeps,
  signal: AbortSignal,
): Promise<RunSource[]> {
  const directory = await deps.directories.make('archive');
  const sources: RunSource[] = [];
  try {
    const members = await deps.sandbox.unpack({ file: archive, limits: deps.limits, directory }, { signal });
    if (members.length === 0) throw new ContentError('no_text', 'The archive is empty');
    for (const { archivePath, path: unpacked, sizeBytes, format, contentType, failure } of members) {
      const name = within + archivePath;
      if (unpacked === null || format === null || contentType === null) {
        const unreadable = { type: 'corrupt', message: 'The member could not be unpacked' };
        sources.push({ name, fileId: null, file: null, failure: failure ?? unreadable });
        continue;
      }
      const file = { path: unpacked, name, sizeBytes, format, contentType };
      if (format === 'zip') sources.push(...(await unpack(file, `${name}/`, deps, signal)));
      else sources.push({ name, fileId: null, file, failure: null });
    }
  } catch (error) {
    if (!(error instanceof ContentError) || signal.aborted) throw error;
    const { type, message } = error;
    sources.push({ name: archive.name, fileId: null, file: null, failure: { type, message } });
  }
  return sources;
}

/** Makes names unique by appending a number, since two archives may hold the same path. */
function uniqueNames(sources: readonly RunSource[]): RunSource[] {
  const seen = new Map<string, number>();
  return sources.map((source) => {
    const count = (seen.get(source.name) ?? 0) + 1;
    seen.set(source.name, count);
    return count === 1 ? source : { ...source, name: `${source.name} (${count})` };
  });
}
