/** Decides from a listing which files are not fetched. */
import type { SkipReason, SourceEntry } from '@quire/connectors/connector';
import { namedFormat } from '@quire/parse/validate/accepted-format';
import { FileRefused } from '@quire/parse/validate/file-refused';
import { compileGlobs } from './globs.ts';

export interface SkipRules {
  include: readonly string[];
  exclude: readonly string[];
  maxFileBytes: number;
}

/** Returns the name of the document of a file. */
export const documentName = (entry: Pick<SourceEntry, 'path' | 'name'>): string =>
  entry.name ?? entry.path.slice(entry.path.lastIndexOf('/') + 1);

/** Whether the name has the extension of a supported format, or none: then the content decides. */
function isSupported(name: string): boolean {
  try {
    namedFormat(name);
    return true;
  } catch (error) {
    if (error instanceof FileRefused) return false;
    throw error;
  }
}

/** Returns a function that returns why a file is not fetched; undefined if it is fetched. */
export function skipReasons(rules: SkipRules): (entry: SourceEntry) => SkipReason | undefined {
  const included = rules.include.length === 0 ? () => true : compileGlobs(rules.include);
  const excluded = compileGlobs(rules.exclude);
  return (entry) => {
    const { path, sizeBytes = 0, skip } = entry;
    if (!included(path)) return { type: 'excluded', message: 'No pattern of `include` matches the path' };
    if (excluded(path)) return { type: 'excluded', message: 'A pattern of `exclude` matches the path' };
    if (skip !== undefined) return skip;
    if (!isSupported(documentName(entry)))
      return { type: 'unsupported_file_type', message: 'Files of this type are not supported' };
    if (sizeBytes <= rules.maxFileBytes) return undefined;
    return { type: 'too_large', message: `The file has ${sizeBytes} bytes, the limit is ${rules.maxFileBytes}` };
  };
}
