/** Unpacks an archive's members to local files, in the sandbox. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DocumentRecord } from '../database/tables.ts';
import { ContentError } from '@quire/blocks/content-error';
import { storageKeys } from '../storage/layout.ts';
import type { IngestDeps } from './ingest.ts';
import { sourceFile } from './ingest.ts';
import type { ArchiveMember } from '@quire/parse/archive/archive-member';

export async function unpackArchive(
  document: DocumentRecord,
  deps: Pick<IngestDeps, 'store' | 'sandbox' | 'limits'>,
  signal: AbortSignal,
): Promise<{ files: ArchiveMember[]; release: () => Promise<void> }> {
  const original = await deps.store.checkout(storageKeys.original(document, document.content_id), signal);
  if (original === undefined) throw new ContentError('internal', 'The stored file is missing');
  const directory = await mkdtemp(path.join(tmpdir(), 'quire-archive-'));
  const release = (): Promise<void> => rm(directory, { recursive: true, force: true });
  try {
    const file = sourceFile(document, original.path);
    return { files: await deps.sandbox.unpack({ file, limits: deps.limits, directory }, { signal }), release };
  } catch (error) {
    await release();
    throw error;
  } finally {
    await original.release();
  }
}
