/**
 * Compound files (CFB): the container of doc, xls and ppt, and of encrypted OOXML packages. Streams are found by name,
 * whatever its case and storage.
 */
import { readFileSync } from 'node:fs';
import CFB from 'cfb';
import { ContentError } from '../../../../errors.ts';
import type { SourceFile } from '../../parser.ts';

const MAGIC = Buffer.from('d0cf11e0a1b11ae1', 'hex');

export const encryptedError = (): ContentError =>
  new ContentError('encrypted', 'The file is protected by a password; upload it without one');

export function isCompoundFile(start: Uint8Array): boolean {
  return MAGIC.equals(start.subarray(0, 8));
}

export class CompoundFile {
  readonly #container: CFB.CFB$Container;

  /** Throws `corrupt` for a container that cannot be read, `encrypted` for one that holds an encrypted package. */
  constructor(bytes: Buffer) {
    try {
      this.#container = CFB.read(bytes, { type: 'buffer' });
    } catch (error) {
      throw new ContentError('corrupt', 'The file is damaged: its container cannot be read', { cause: error });
    }
    if (this.stream('EncryptedPackage')) throw encryptedError();
  }

  /** The stream's bytes; streams of the root storage win over others of the same name. */
  stream(name: string): Buffer | undefined {
    const wanted = name.toLowerCase();
    let found: Buffer | undefined;
    let foundDepth = Infinity;
    this.#container.FileIndex.forEach((entry, index) => {
      if (entry.type !== 2 || entry.name.toLowerCase() !== wanted) return;
      const depth = (this.#container.FullPaths[index] ?? '').split('/').length;
      if (depth >= foundDepth) return;
      found = Buffer.from(entry.content);
      foundDepth = depth;
    });
    return found;
  }
}

/** Called with a compound file where a zip package was expected: always throws. */
export function refuseEncryptedPackage(file: SourceFile): never {
  const container = new CompoundFile(readFileSync(file.path));
  const legacy = ['WordDocument', 'Workbook', 'Book', 'PowerPoint Document'].find((name) => container.stream(name));
  throw new ContentError(
    'corrupt',
    legacy === undefined
      ? 'The file is damaged: it is no zip package'
      : 'The file is of an older format than its name says',
  );
}
