import { ContentError } from '@quire/blocks/content-error';

/** Reading past the end of a binary structure means that the file is damaged; any other fault is ours. */
export function corruptOnOverrun<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) {
      throw new ContentError('corrupt', 'The file is damaged: its records point outside of it', { cause: error });
    }
    throw error;
  }
}
