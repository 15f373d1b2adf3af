/** Reads the files of a drop or a picker, with those in folders. */
import type { FileToSend } from './uploads.ts';

/** Files that operating systems put into folders. */
const IGNORED = /^(?:\.DS_Store|Thumbs\.db|desktop\.ini|\._.*)$/;

export async function filesOf(transfer: DataTransfer): Promise<FileToSend[]> {
  // Entries must be taken before the first wait; the transfer is empty afterwards.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (entries.length === 0) return [...transfer.files].map((file) => ({ file, path: '' }));
  const found = await Promise.all(entries.map((entry) => walk(entry, false)));
  return found.flat();
}

/** Returns the files of an `<input type="file">`, with or without `webkitdirectory`. */
export const filesOfInput = (files: FileList): FileToSend[] =>
  [...files].filter(({ name }) => !IGNORED.test(name)).map((file) => ({ file, path: file.webkitRelativePath }));

async function walk(entry: FileSystemEntry, isInFolder: boolean): Promise<FileToSend[]> {
  if (entry instanceof FileSystemFileEntry || entry.isFile) {
    if (IGNORED.test(entry.name)) return [];
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ file, path: isInFolder ? entry.fullPath.replace(/^\//, '') : '' }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: FileToSend[] = [];
  for (;;) {
    // A folder is read in portions, up to an empty one.
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (portion.length === 0) return found;
    for (const child of portion) found.push(...(await walk(child, true)));
  }
}
