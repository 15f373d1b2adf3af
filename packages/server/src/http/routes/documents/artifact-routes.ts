import type { DocumentContent } from '../../../domain/documents/content.ts';
import type { ArtifactName } from '../../../domain/documents/links.ts';
import { sendArtifact } from '../../artifact.ts';
import { ok, route, type Route } from '../../route.ts';
import { COMPRESSOR_BYTES, TREE_BYTES } from '../../traffic/answer-sizes.ts';
import { presentLinks } from './presenter.ts';
import { linksBody, linksShape } from './schemas.ts';

const tag = 'Documents';
const DOCUMENT = '/v1/w/{ws}/col/{col}/docs/{doc_id}';
const DEFAULT_LIFETIME_SECONDS = 3600;

const KINDS: Record<ArtifactName, { contentType: string; what: string }> = {
  original: { contentType: 'application/octet-stream', what: 'the file as it was uploaded' },
  markdown: { contentType: 'text/markdown', what: 'the document as Markdown' },
  html: { contentType: 'text/html', what: 'the document as HTML' },
  thumbnail: { contentType: 'image/webp', what: 'a picture of the first page' },
};

export const artifactRoutes = {
  read: (name: ArtifactName, content: DocumentContent): Route =>
    route({
      method: 'GET',
      path: `${DOCUMENT}/${name}`,
      operationId: `getDocument${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      summary: `Read ${KINDS[name].what}`,
      description: 'Answers with ETag and byte ranges, and headers that make the content inert.',
      tag,
      permission: 'read',
      signedLinks: true,
      response: KINDS[name].contentType,
      renders: name === 'markdown' || name === 'html',
      anyFormat: name === 'original',
      audit: name === 'original',
      statuses: [200, 206, 304],
      answerBytes: () => (name === 'original' ? COMPRESSOR_BYTES : TREE_BYTES),
      handler: async ({ records, request, reply }) =>
        sendArtifact(await content.artifact(records.doc_id, name), request, reply),
    }),
  links: (content: DocumentContent, basePath: string): Route =>
    route({
      method: 'POST',
      path: `${DOCUMENT}/links`,
      operationId: 'createDocumentLinks',
      summary: "Signed paths of the document's artifacts, which work without a key for up to an hour",
      tag,
      permission: 'read',
      body: linksBody,
      response: linksShape,
      scoped: true,
      handler: async ({ principal, records, body }) => {
        const lifetimeMs = (body?.expiresInSeconds ?? DEFAULT_LIFETIME_SECONDS) * 1000;
        const links = content.links(records.doc_id, lifetimeMs, principal.token?.expiresAt);
        return ok(presentLinks(links, basePath));
      },
    }),
};
