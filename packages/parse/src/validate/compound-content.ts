import type { CompoundFile } from '../compound/compound-file.ts';
import { FORMAT_ENTRIES, FORMATS, type Format } from '../formats.ts';
import type { DetectedContent } from './detect-content.ts';
import { encryptedFile } from './refusals.ts';

/** Streams of compound files that are not accepted, with their content types for the message. */
const FOREIGN_STREAMS: readonly (readonly [string, string])[] = [
  ['__properties_version1.0', 'application/vnd.ms-outlook'],
  ['visiodocument', 'application/vnd.visio'],
  ['quill', 'application/x-mspublisher'],
];

/** Number of bytes from the start of a stream that show whether it is encrypted. */
const ENCRYPTION_BYTES = 12;

/**
 * Returns the Office format that the streams at the root show; stream names are compared without regard to case. Throws
 * `FileRefused` if a file with an Office name, or without an extension, is encrypted.
 */
export function compoundContent(compound: CompoundFile, named: Format | undefined): DetectedContent {
  const atRoot = compound.entries.filter((entry) => entry.depth === 1);
  const streams = new Map(atRoot.map((entry) => [entry.name.toLowerCase(), entry]));
  const isOffice = named === undefined || /^(word|sheet|slides)$/.test(FORMATS[named].family);
  if (isOffice && (streams.has('encryptedpackage') || streams.has('encryptedsummary'))) throw encryptedFile();
  for (const [format, { contentType, signature }] of FORMAT_ENTRIES) {
    const found = signature.compound?.streams.find((name) => streams.has(name));
    const stream = found === undefined ? undefined : streams.get(found);
    if (stream === undefined) continue;
    if (isOffice && signature.compound?.isEncrypted?.(compound.bytes(stream, ENCRYPTION_BYTES)) === true) {
      throw encryptedFile();
    }
    return { format, contentType };
  }
  const foreign = FOREIGN_STREAMS.find(([name]) => streams.has(name));
  return { format: undefined, contentType: foreign?.[1] ?? 'application/x-cfb' };
}
