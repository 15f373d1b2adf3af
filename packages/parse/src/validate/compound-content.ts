import { FORMATS, type Format } from '@quire/blocks/format';
import type { CompoundFile } from '../compound/compound-file.ts';
import type { DetectedContent } from './detect-content.ts';
import { encryptedFile } from './refusals.ts';

const OTHER_KINDS: readonly (readonly [string, string])[] = [
  ['__properties_version1.0', 'application/vnd.ms-outlook'],
  ['visiodocument', 'application/vnd.visio'],
  ['quill', 'application/x-mspublisher'],
];

const FLAGS_WITHIN = 12;

/**
 * Which kind of Office file the streams make; their names compare without regard to case. Throws `FileRefused` when they
 * say that it is encrypted.
 */
export function compoundContent(compound: CompoundFile, named: Format | undefined): DetectedContent {
  const atRoot = compound.entries.filter((entry) => entry.depth === 1);
  const streams = new Map(atRoot.map((entry) => [entry.name.toLowerCase(), entry]));
  const isOffice = named === undefined || /^(word|sheet|slides)$/.test(FORMATS[named].family);
  if (isOffice && (streams.has('encryptedpackage') || streams.has('encryptedsummary'))) throw encryptedFile();
  const document = streams.get('worddocument');
  if (document !== undefined) {
    // The file information block's flags: bit 8, encrypted or obfuscated ([MS-DOC] 2.5.2).
    const start = compound.bytes(document, FLAGS_WITHIN);
    if (isOffice && start.length === FLAGS_WITHIN && (start.readUInt16LE(10) & 0x0100) !== 0) throw encryptedFile();
    return accepted('doc');
  }
  if (streams.has('workbook') || streams.has('book')) return accepted('xls');
  if (streams.has('powerpoint document') || streams.has('pp97_dualstorage')) return accepted('ppt');
  const other = OTHER_KINDS.find(([name]) => streams.has(name));
  return { format: undefined, contentType: other?.[1] ?? 'application/x-cfb' };
}

const accepted = (format: Format): DetectedContent => ({ format, contentType: FORMATS[format].contentType });
