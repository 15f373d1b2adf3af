/** Lists the members of an archive without inflating anything. */
import type { ZipMember } from './zip-directory.ts';
import type { ArchiveLimits } from './zip-limits.ts';
import { isJunk, safeMemberPath } from './member-name.ts';
import { withArchive } from './open-archive.ts';

export interface MemberListing {
  /** The path, unique in the archive, with `/` between folders. */
  archivePath: string;
  /** The size that the archive declares. */
  sizeBytes: number;
}

export interface NamedMember {
  archivePath: string;
  member: ZipMember;
  /** The reason why the member is not extracted. */
  refusal: string | undefined;
}

export function listMembers(path: string, limits: ArchiveLimits): Promise<MemberListing[]> {
  return withArchive(path, limits, async ({ directory }) =>
    nameMembers(directory.members).map(({ archivePath, member }) => ({ archivePath, sizeBytes: member.declaredBytes })),
  );
}

/**
 * Returns the archive's files under unique paths. Folders and files that operating systems add are left out; a path
 * that is already taken, also in another case, gets a number.
 */
export function nameMembers(members: readonly ZipMember[]): NamedMember[] {
  const taken = new Set<string>();
  const named: NamedMember[] = [];
  for (const member of members) {
    if (member.directory) continue;
    const path = safeMemberPath(member.name);
    if (path !== undefined && isJunk(path)) continue;
    named.push({
      archivePath: uniquePath(path ?? harmlessName(member.name), taken),
      member,
      refusal: path === undefined ? 'The path leads out of the archive' : linkRefusal(member),
    });
  }
  return named;
}

const linkRefusal = (member: ZipMember): string | undefined =>
  member.symlink ? 'The member is a link and not a file' : undefined;

/** Returns a displayable form of a name that is not safe as a path. */
function harmlessName(name: string): string {
  const parts = name.replaceAll('\0', '').split(/[\\/]/);
  return parts.filter((part) => part !== '' && part !== '.' && part !== '..').join('/') || 'unnamed';
}

function uniquePath(path: string, taken: Set<string>): string {
  const dot = path.lastIndexOf('.');
  const stem = dot > path.lastIndexOf('/') + 1 ? dot : path.length;
  let unique = path;
  for (let count = 2; taken.has(unique.toLowerCase()); count += 1) {
    unique = `${path.slice(0, stem)} (${count})${path.slice(stem)}`;
  }
  taken.add(unique.toLowerCase());
  return unique;
}
