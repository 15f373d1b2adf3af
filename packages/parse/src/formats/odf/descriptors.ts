import { LIGHT_COST, type FormatDescriptor, type FormatFamily } from '../../format-descriptor.ts';

const TYPE = 'application/vnd.oasis.opendocument.';
/** A password encrypts the parts and not the zip members; only the manifest shows it. */
const ENCRYPTION = { member: 'meta-inf/manifest.xml', pattern: /<(\w+:)?encryption-data\b/ };

export const odt = openDocument('word', 'odt', ['text', 'text-template', 'text-master']);
export const ods = openDocument('sheet', 'ods', ['spreadsheet', 'spreadsheet-template']);
export const odp = openDocument('slides', 'odp', ['presentation', 'presentation-template']);

/** `kinds` are the variants of the content type; the first is the canonical one. */
function openDocument(
  family: FormatFamily,
  extension: string,
  kinds: readonly [string, ...string[]],
): FormatDescriptor {
  const contentTypes = kinds.map((kind) => TYPE + kind);
  return {
    family,
    contentType: TYPE + kinds[0],
    aliases: [],
    extensions: [extension],
    signature: { mimetypeMember: { contentTypes, requiredMember: 'content.xml', encryption: ENCRYPTION } },
    structure: null,
    reader: () => import('./odf.ts'),
    thumbnail: 'office',
    pages: null,
    cost: LIGHT_COST,
  };
}
