/** Files of Google Drive as the API describes them. */
import type { SourceEntry } from '../../../connector.ts';
import type { TreeChild } from '../../../tree-listing.ts';

export interface DriveFile {
  id: string;
  name: string;
  mimeType: string;
  createdTime?: string;
  modifiedTime?: string;
  md5Checksum?: string;
  size?: string;
  webViewLink?: string;
  trashed?: boolean;
  parents?: string[];
  capabilities?: { canDownload?: boolean };
  permissions?: { type: string; emailAddress?: string; domain?: string; deleted?: boolean }[];
}

export const FILE_FIELDS =
  'id,name,mimeType,createdTime,modifiedTime,md5Checksum,size,webViewLink,trashed,parents,' +
  'capabilities(canDownload),permissions(type,emailAddress,domain,deleted)';

const APPS = 'application/vnd.google-apps.';
export const FOLDER_TYPE = `${APPS}folder`;
const OFFICE = 'application/vnd.openxmlformats-officedocument.';

interface Export {
  extension: string;
  contentType: string;
}

/** Formats in which documents of Google's editors are exported. */
const EXPORTS: Readonly<Record<string, Export>> = {
  [`${APPS}document`]: { extension: '.docx', contentType: `${OFFICE}wordprocessingml.document` },
  [`${APPS}spreadsheet`]: { extension: '.xlsx', contentType: `${OFFICE}spreadsheetml.sheet` },
  [`${APPS}presentation`]: { extension: '.pptx', contentType: `${OFFICE}presentationml.presentation` },
};

export const exportOf = ({ mimeType }: DriveFile): Export | null => EXPORTS[mimeType] ?? null;

/** An export has no checksum; any change of the document has a new time. */
export function versionOf({ md5Checksum, modifiedTime = '', size = '' }: DriveFile): string {
  return md5Checksum ?? `${modifiedTime} ${size}`.trim();
}

/** Returns the readers of a file; undefined if the account may not see them. */
function readersOf({ permissions }: DriveFile): string[] | undefined {
  return permissions?.flatMap(({ type, emailAddress, domain, deleted }) => {
    if (deleted === true) return [];
    if (type === 'anyone') return ['public'];
    if (type === 'domain' && domain !== undefined) return [`group:${domain}`];
    return emailAddress === undefined ? [] : [`${type === 'group' ? 'group' : 'user'}:${emailAddress}`];
  });
}

function skipOf(file: DriveFile): Pick<SourceEntry, 'skip'> {
  if (file.mimeType === `${APPS}shortcut`) {
    return { skip: { type: 'shortcut', message: 'shortcuts are not followed' } };
  }
  if (file.mimeType.startsWith(APPS) && exportOf(file) === null) {
    return { skip: { type: 'unsupported_file_type', message: `files of the type ${file.mimeType} have no export` } };
  }
  if (file.capabilities?.canDownload === false) {
    return { skip: { type: 'no_download', message: 'the owner does not allow downloads' } };
  }
  return {};
}

function entryOf(file: DriveFile): Omit<SourceEntry, 'path'> {
  const permissions = readersOf(file);
  const exported = exportOf(file);
  const modified = new Date(file.modifiedTime ?? Number.NaN);
  return {
    id: file.id,
    version: versionOf(file) || file.id,
    ...(file.webViewLink === undefined ? {} : { url: file.webViewLink }),
    ...(file.size === undefined || exported !== null ? {} : { sizeBytes: Number(file.size) }),
    ...(Number.isNaN(modified.getTime()) ? {} : { modifiedAt: modified }),
    contentType: exported?.contentType ?? file.mimeType,
    ...(permissions === undefined ? {} : { permissions }),
    ...skipOf(file),
  };
}

/** Returns a name that can be a segment of a path. */
export const segmentOf = (name: string): string => {
  const text = name.replaceAll('/', '\u2215');
  return text === '' || text === '.' || text === '..' ? `_${text}` : text;
};

/**
 * Returns the children of a folder with unique names: a drive allows the same name several times, and all but the
 * oldest get their id as an addition.
 */
export function childrenOf(files: readonly DriveFile[]): TreeChild<string>[] {
  const names = new Set<string>();
  const age = (file: DriveFile): string => `${file.createdTime ?? ''} ${file.id}`;
  return files
    .toSorted((one, other) => (age(one) < age(other) ? -1 : 1))
    .map((file) => {
      const plain = segmentOf(`${file.name}${exportOf(file)?.extension ?? ''}`);
      const name = names.has(plain) ? unique(plain, file.id) : plain;
      names.add(name);
      if (file.mimeType === FOLDER_TYPE) return { kind: 'folder', name, folder: file.id };
      return { kind: 'file', name, entry: entryOf(file) };
    });
}

function unique(name: string, id: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? `${name} (${id})` : `${name.slice(0, dot)} (${id})${name.slice(dot)}`;
}
