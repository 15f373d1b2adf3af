/** Name of the file in the data directory that exists while a restore runs, and after one that was interrupted. */
export const RESTORE_MARKER = 'restore-in-progress';
