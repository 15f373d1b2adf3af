import { ContentError } from '@quire/blocks/content-error';

/** Runs `read` and converts a read past the end of the buffer, which means that the file is damaged, to `corrupt`. */
export function corruptOnOverrun<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) {
      throw new ContentError('corrupt', 'The file is damaged: its records refer to positions outside the file', {
        cause: error,
      });
    }
    throw error;
  }
}
