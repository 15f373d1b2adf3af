/** Items of a drive as Microsoft Graph describes them. */
import type { SourceEntry } from '../../../connector.ts';
import type { TreeChild } from '../../../tree-listing.ts';

export const ITEM_FIELDS =
  'id,name,size,eTag,cTag,file,folder,package,remoteItem,deleted,lastModifiedDateTime,webUrl,parentReference';

export interface DriveItem {
  id: string;
  name?: string;
  size?: number;
  eTag?: string;
  cTag?: string;
  file?: { mimeType?: string };
  folder?: object;
  /** A notebook or similar. */
  package?: object;
  /** An item of another drive that was added to this one. */
  remoteItem?: object;
  deleted?: object;
  root?: object;
  lastModifiedDateTime?: string;
  webUrl?: string;
  parentReference?: { id?: string };
}

/** The content tag changes with the content only. */
export const versionOf = ({ cTag, eTag, lastModifiedDateTime = '', size = 0 }: DriveItem): string =>
  cTag ?? eTag ?? `${lastModifiedDateTime} ${size}`;

export function childOf(item: DriveItem): TreeChild<string> {
  const { id, name = id, size, file, folder, webUrl } = item;
  if (folder !== undefined && item.remoteItem === undefined) return { kind: 'folder', name, folder: id };
  const modified = new Date(item.lastModifiedDateTime ?? Number.NaN);
  return {
    kind: 'file',
    name,
    entry: {
      id,
      version: versionOf(item),
      ...(webUrl === undefined ? {} : { url: webUrl }),
      ...(size === undefined ? {} : { sizeBytes: size }),
      ...(Number.isNaN(modified.getTime()) ? {} : { modifiedAt: modified }),
      ...(file?.mimeType === undefined ? {} : { contentType: file.mimeType }),
      ...skipOf(item),
    },
  };
}

function skipOf({ remoteItem, file }: DriveItem): Pick<SourceEntry, 'skip'> {
  if (remoteItem !== undefined)
    return { skip: { type: 'shortcut', message: 'items of other drives are not followed' } };
  if (file !== undefined) return {};
  return { skip: { type: 'unsupported_file_type', message: 'the item is no file' } };
}
