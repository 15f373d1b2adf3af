import { unlink } from 'node:fs/promises';
import { errorCode } from './error-code.ts';

/** Removes a file; resolves also if it does not exist. */
export async function removeIfPresent(file: string): Promise<void> {
  await unlink(file).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
  });
}
