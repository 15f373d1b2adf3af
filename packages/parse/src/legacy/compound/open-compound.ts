/** Opens compound files for the readers of doc, xls and ppt, and reports problems as `ContentError`s. */
import { readFileSync } from 'node:fs';
import { ContentError } from '@quire/blocks/content-error';
import { bytesSource, CompoundFile } from '../../compound/compound-file.ts';
import type { SourceFile } from '../../parser.ts';

export const encryptedError = (): ContentError =>
  new ContentError('encrypted', 'The file is protected by a password; upload it without one');

/** Throws `corrupt` for an unreadable container and `encrypted` for one with an encrypted package. */
export function openCompound(bytes: Buffer): CompoundFile {
  const file = CompoundFile.open(bytesSource(bytes));
  if (file === undefined) throw new ContentError('corrupt', 'The file is damaged: its container cannot be read');
  if (file.stream('EncryptedPackage')) throw encryptedError();
  return file;
}

/** Throws the error for a compound file where a zip package was expected. */
export function refuseEncryptedPackage(file: SourceFile): never {
  const container = openCompound(readFileSync(file.path));
  const legacy = ['WordDocument', 'Workbook', 'Book', 'PowerPoint Document'].find((name) => container.stream(name));
  throw new ContentError(
    'corrupt',
    legacy === undefined
      ? 'The file is damaged: it is no zip package'
      : 'The file has an older format than its name indicates',
  );
}
