/** What a zip file is: an Office or OpenDocument file by its own declaration, else an archive. Checks its directory. */
import type { Format } from '@quire/blocks/format';
import { ContentError } from '@quire/blocks/content-error';
import { inflateMember } from '../archive/inflate-member.ts';
import { readCheckedDirectory } from '../archive/open-archive.ts';
import type { ZipMember } from '../archive/zip-directory.ts';
import { ZipProblem, type ArchiveLimits } from '../archive/zip-limits.ts';
import type { FileProbe } from './file-probe.ts';

/** The format, or the content type of something that is not accepted. */
export interface ZipContent {
  format: Format | undefined;
  contentType: string;
}

/** A list of parts or a manifest of more than this is not read: hundreds of sheets take 100 kB. */
const PROBE_BYTES = 4 * 1024 * 1024;

const ARCHIVE: ZipContent = { format: 'zip', contentType: 'application/zip' };

/** Main parts of Office Open XML files, with their templates and macro variants. */
const MAIN_PARTS: readonly (readonly [RegExp, Format])[] = [
  [
    /wordprocessingml\.(document|template)\.main\+xml|ms-word\.(document|template)\.macroEnabled\w*\.main\+xml/i,
    'docx',
  ],
  [/spreadsheetml\.(sheet|template)\.main\+xml|ms-excel\.(sheet|template|addin)\.macroEnabled\.main\+xml/i, 'xlsx'],
  [
    /presentationml\.(presentation|slideshow|template)\.main\+xml|ms-powerpoint\.(presentation|slideshow|template|addin)\.macroEnabled\.main\+xml/i,
    'pptx',
  ],
];

const OPEN_DOCUMENT: Readonly<Record<string, Format>> = {
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.text-template': 'odt',
  'application/vnd.oasis.opendocument.text-master': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.spreadsheet-template': 'ods',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/vnd.oasis.opendocument.presentation-template': 'odp',
};

/** Throws `ZipProblem` for what is wrong with the directory or a declared document. */
export async function inspectZip(probe: FileProbe, limits: ArchiveLimits): Promise<ZipContent> {
  const { members } = readCheckedDirectory(probe.fd, probe.sizeBytes, limits);
  const byName = new Map(members.map((member) => [partName(member.name), member]));
  const content = (await officeOpenXml(probe, byName)) ?? (await openDocument(probe, byName)) ?? ARCHIVE;
  if (content !== ARCHIVE && members.some((member) => member.encrypted)) {
    throw new ZipProblem('encrypted', 'The file is protected by a password');
  }
  return content;
}

/** Part names compare without regard to case; some writers use backslashes or start with a slash. */
const partName = (name: string): string => name.replaceAll('\\', '/').replace(/^\//, '').toLowerCase();

type Members = ReadonlyMap<string, ZipMember>;

async function officeOpenXml(probe: FileProbe, members: Members): Promise<ZipContent | undefined> {
  const types = members.get('[content_types].xml');
  if (types === undefined) return undefined;
  const xml = await readSmall(probe, types);
  const declared = [...xml.matchAll(/ContentType\s*=\s*["']([^"']+)["']/g)].map((match) => match[1] ?? '');
  for (const [pattern, format] of MAIN_PARTS) {
    const contentType = declared.find((type) => pattern.test(type));
    if (contentType !== undefined) return { format, contentType };
  }
  const other = declared.find((type) => /\.main(\+xml)?$/.test(type));
  if (other !== undefined) return { format: undefined, contentType: other };
  throw new ZipProblem('corrupt', 'The Office file has no main part');
}

async function openDocument(probe: FileProbe, members: Members): Promise<ZipContent | undefined> {
  const mimetype = members.get('mimetype');
  if (mimetype === undefined) return undefined;
  const contentType = (await readSmall(probe, mimetype)).trim();
  if (!contentType.startsWith('application/')) return undefined;
  const format = OPEN_DOCUMENT[contentType];
  if (format === undefined) return { format, contentType };
  if (!members.has('content.xml')) throw new ZipProblem('corrupt', 'The OpenDocument file has no content');
  const manifest = members.get('meta-inf/manifest.xml');
  // A password encrypts the parts, not the zip members, and the manifest says so.
  if (manifest !== undefined && /<(\w+:)?encryption-data\b/.test(await readSmall(probe, manifest))) {
    throw new ZipProblem('encrypted', 'The file is protected by a password');
  }
  return { format, contentType };
}

async function readSmall(probe: FileProbe, member: ZipMember): Promise<string> {
  if (member.declaredBytes > PROBE_BYTES) throw new ZipProblem('corrupt', `'${member.name}' is too large`);
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
