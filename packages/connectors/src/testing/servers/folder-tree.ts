/** Changes the files in a folder that a real server serves. Only imported by tests. */
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

export interface FolderTree {
  write(file: string, bytes: Buffer): Promise<void>;
  move(from: string, to: string): Promise<void>;
  remove(file: string): Promise<void>;
  link(file: string, target: string): Promise<void>;
}

export function folderTree(root: string): FolderTree {
  const absolute = (file: string): string => path.join(root, ...file.split('/'));
  const makeFolder = (file: string) => mkdir(path.dirname(absolute(file)), { recursive: true });
  return {
    write: async (file, bytes) => {
      await makeFolder(file);
      // A new file in place of the old one, as editors and synchronisation clients write.
      await writeFile(`${root}.part`, bytes, { mode: 0o644 });
      await rename(`${root}.part`, absolute(file));
    },
    move: async (from, to) => {
      await makeFolder(to);
      await rename(absolute(from), absolute(to));
    },
    remove: (file) => rm(absolute(file)),
    link: (file, target) => symlink(path.join(root, target), absolute(file)),
  };
}
