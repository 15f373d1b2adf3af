/** Signed links: a path with an expiry and an HMAC-SHA256 over both, verified without the database. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DocumentRecord } from '../../database/tables.ts';

export const ARTIFACT_NAMES = ['original', 'markdown', 'html', 'thumbnail'] as const;
export type ArtifactName = (typeof ARTIFACT_NAMES)[number];
/** The parts of a document that links are signed for; `pages` covers the list of pages and each of their pictures. */
export type LinkName = ArtifactName | 'pages';

type LinkedDocument = Pick<DocumentRecord, 'id' | 'workspace_id' | 'collection_id'>;

function signature(document: LinkedDocument, name: LinkName, expires: string, key: Buffer): string {
  const signed = [document.workspace_id, document.collection_id, document.id, name, expires].join('/');
  return createHmac('sha256', key).update(signed).digest('base64url');
}

/** Returns the part of a document that a route template reads; undefined if links to it are not signed. */
export function linkNameOf(path: string): LinkName | undefined {
  if (/\/pages(?:\/\{page\})?$/.test(path)) return 'pages';
  return ARTIFACT_NAMES.find((name) => path.endsWith(`/${name}`));
}

/** Returns the artifact's path with `expires` (Unix seconds) and `signature`. */
export function signLink(document: LinkedDocument, name: LinkName, expiresAt: Date, key: Buffer): string {
  const expires = String(Math.floor(expiresAt.getTime() / 1000));
  const path = `/v1/w/${document.workspace_id}/col/${document.collection_id}/docs/${document.id}/${name}`;
  return `${path}?expires=${expires}&signature=${signature(document, name, expires, key)}`;
}

/** Returns whether the signature is valid for this artifact and has not expired. */
export function verifyLink(
  document: LinkedDocument,
  name: LinkName,
  link: { expires: string; signature: string },
  key: Buffer,
  nowMs: number,
): boolean {
  if (!/^\d{1,12}$/.test(link.expires) || Number(link.expires) * 1000 < nowMs) return false;
  const expected = Buffer.from(signature(document, name, link.expires, key));
  const given = Buffer.from(link.signature);
  return expected.length === given.length && timingSafeEqual(expected, given);
}
