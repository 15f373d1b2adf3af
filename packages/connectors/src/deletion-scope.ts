/** Decides which files a listing has shown to be deleted. */

/** Returns the folders of a path, from the root (the empty string) to the innermost. */
export function foldersOf(path: string): string[] {
  const segments = path.split('/').slice(0, -1);
  return ['', ...segments.map((_segment, index) => segments.slice(0, index + 1).join('/'))];
}

/**
 * Returns whether a known file that the listing did not contain may be regarded as deleted: one of its folders was
 * listed completely, and none of its folders failed.
 */
export function isInDeletionScope(
  path: string,
  completeFolders: ReadonlySet<string>,
  failedFolders: ReadonlySet<string>,
): boolean {
  const folders = foldersOf(path);
  return folders.some((folder) => completeFolders.has(folder)) && !folders.some((folder) => failedFolders.has(folder));
}
