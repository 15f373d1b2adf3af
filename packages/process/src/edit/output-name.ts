import path from 'node:path';
import { FORMATS } from '@quire/parse/formats';
import type { SourceFile } from '@quire/parse/parser';

const MAX_STEM_BYTES = 180;

/**
 * Returns `report-edited.pdf`, or `report-edited-2.pdf` for the second of several outputs. The result is safe as a file
 * name.
 */
export function outputName(file: SourceFile, number: number | undefined): string {
  const [first = file.format] = FORMATS[file.format].extensions;
  const given = path.extname(file.name);
  const kept = FORMATS[file.format].extensions.includes(given.slice(1).toLowerCase());
  // oxlint-disable-next-line no-control-regex
  const stem = path.basename(file.name, given).replace(/[\u0000-\u001f\u007f/\\:*?"<>|]+/g, '_') || 'document';
  let short = stem;
  while (Buffer.byteLength(short) > MAX_STEM_BYTES) short = Array.from(short).slice(0, -1).join('');
  const counted = number === undefined ? '' : `-${number}`;
  return `${short}-edited${counted}${kept ? given : `.${first}`}`;
}
