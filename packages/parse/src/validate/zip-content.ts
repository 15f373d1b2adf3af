/**
 * Determines the format of a zip file: a document format that the file declares, else an archive. Checks its directory.
 */
import { ContentError } from '@quire/blocks/content-error';
import { inflateMember } from '../archive/inflate-member.ts';
import { readCheckedDirectory } from '../archive/open-archive.ts';
import type { ZipMember } from '../archive/zip-directory.ts';
import { ZipProblem, type ArchiveLimits } from '../archive/zip-limits.ts';
import type { MimetypeSignature } from '../format-descriptor.ts';
import { FORMAT_ENTRIES, type Format } from '../formats.ts';
import type { FileProbe } from './file-probe.ts';

/** An undefined format means that the content type is not accepted. */
export interface ZipContent {
  format: Format | undefined;
  contentType: string;
}

/** Maximum size of a list of parts or a manifest, in bytes; hundreds of sheets take 100 kB. */
const MAX_DECLARATION_BYTES = 4 * 1024 * 1024;

const ARCHIVE: ZipContent = { format: 'zip', contentType: 'application/zip' };

/** Throws `ZipProblem` if the directory or a declared document is damaged, encrypted or exceeds a limit. */
export async function inspectZip(probe: FileProbe, limits: ArchiveLimits): Promise<ZipContent> {
  const { members } = readCheckedDirectory(probe.fd, probe.sizeBytes, limits);
  const byName = new Map(members.map((member) => [partName(member.name), member]));
  const content = (await officeOpenXml(probe, byName)) ?? (await declaredContent(probe, byName)) ?? ARCHIVE;
  if (content !== ARCHIVE && members.some((member) => member.encrypted)) {
    throw new ZipProblem('encrypted', 'The file is protected by a password');
  }
  return content;
}

/** Part names are compared without regard to case; some writers use backslashes or a leading slash. */
const partName = (name: string): string => name.replaceAll('\\', '/').replace(/^\//, '').toLowerCase();

type Members = ReadonlyMap<string, ZipMember>;

async function officeOpenXml(probe: FileProbe, members: Members): Promise<ZipContent | undefined> {
  const types = members.get('[content_types].xml');
  if (types === undefined) return undefined;
  const xml = await readSmall(probe, types);
  const declared = [...xml.matchAll(/ContentType\s*=\s*["']([^"']+)["']/g)].map((match) => match[1] ?? '');
  for (const [format, { signature }] of FORMAT_ENTRIES) {
    const contentType = declared.find((type) => signature.mainPart?.test(type));
    if (contentType !== undefined) return { format, contentType };
  }
  const other = declared.find((type) => /\.main(\+xml)?$/.test(type));
  if (other !== undefined) return { format: undefined, contentType: other };
  throw new ZipProblem('corrupt', 'The Office file has no main part');
}

/** Recognises OpenDocument and EPUB files by their `mimetype` member. */
async function declaredContent(probe: FileProbe, members: Members): Promise<ZipContent | undefined> {
  const mimetype = members.get('mimetype');
  if (mimetype === undefined) return undefined;
  const contentType = (await readSmall(probe, mimetype)).trim();
  if (!contentType.startsWith('application/')) return undefined;
  for (const [format, { signature }] of FORMAT_ENTRIES) {
    const declared = signature.mimetypeMember;
    if (declared?.contentTypes.includes(contentType) !== true) continue;
    await checkDeclared(probe, members, declared);
    return { format, contentType };
  }
  return { format: undefined, contentType };
}

async function checkDeclared(probe: FileProbe, members: Members, declared: MimetypeSignature): Promise<void> {
  const { requiredMember, encryption } = declared;
  if (!members.has(requiredMember)) throw new ZipProblem('corrupt', `The file has no part '${requiredMember}'`);
  const member = encryption && members.get(encryption.member);
  if (member !== undefined && encryption?.pattern.test(await readSmall(probe, member)) === true) {
    throw new ZipProblem('encrypted', 'The file is protected by a password');
  }
}

async function readSmall(probe: FileProbe, member: ZipMember): Promise<string> {
  if (member.declaredBytes > MAX_DECLARATION_BYTES) throw new ZipProblem('corrupt', `'${member.name}' is too large`);
  try {
    const parts: Buffer[] = [];
    for await (const part of inflateMember(probe.fd, member)) parts.push(part);
    return decodeXml(Buffer.concat(parts));
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    throw new ZipProblem(error.type === 'encrypted' ? 'encrypted' : 'corrupt', `'${member.name}' cannot be read`);
  }
}

function decodeXml(bytes: Buffer): string {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(wide ? 'utf-16le' : 'utf-8').decode(bytes);
}
