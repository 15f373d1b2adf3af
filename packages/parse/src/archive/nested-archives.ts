/**
 * Checks the archives inside an archive, before any of them becomes a document, for their depth and their total
 * unpacked size. Inflates only the nested archives themselves, one file per level.
 */
import { writeFileSync, appendFileSync } from 'node:fs';
import path from 'node:path';
import { ContentError } from '@quire/blocks/content-error';
import { inflateMember } from './inflate-member.ts';
import { nameMembers } from './list-members.ts';
import { withArchive } from './open-archive.ts';
import type { ArchiveLimits } from './zip-limits.ts';

/** The remaining bytes and members for all levels together. */
export interface NestingBudget {
  bytes: number;
  members: number;
}

/**
 * `depth` is the depth of the archive at `file`; the uploaded archive has depth 1. Throws `ContentError` `too_large` if
 * an archive is nested deeper than the limit, or if the budget, which is counted down, is exhausted.
 */
export async function checkNestedArchive(
  file: string,
  depth: number,
  budget: NestingBudget,
  limits: ArchiveLimits,
  directory: string,
): Promise<void> {
  if (depth > limits.maxArchiveDepth) {
    throw new ContentError('too_large', `Archives are nested more than ${limits.maxArchiveDepth} deep`);
  }
  await withArchive(file, limits, async ({ fd, directory: { members } }) => {
    budget.members -= members.length;
    for (const member of members) budget.bytes -= member.declaredBytes;
    if (budget.members < 0 || budget.bytes < 0) {
      throw new ContentError('too_large', 'The archives inside the archive unpack to too much');
    }
    const inner = path.join(directory, `nested-${depth + 1}`);
    for (const { archivePath, member, refusal } of nameMembers(members)) {
      if (refusal !== undefined || !archivePath.toLowerCase().endsWith('.zip')) continue;
      try {
        writeFileSync(inner, '');
        for await (const bytes of inflateMember(fd, member)) appendFileSync(inner, bytes);
        await checkNestedArchive(inner, depth + 1, budget, limits, directory);
      } catch (error) {
        // A damaged archive fails later, as a document of its own.
        if (!(error instanceof ContentError) || error.type === 'too_large') throw error;
      }
    }
  });
}
