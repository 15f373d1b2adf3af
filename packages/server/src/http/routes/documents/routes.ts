import type { DocumentContent } from '../../../domain/documents/content.ts';
import { ARTIFACT_NAMES } from '../../../domain/documents/links.ts';
import type { DocumentRemoval } from '../../../domain/documents/removal.ts';
import type { DocumentService } from '../../../domain/documents/service.ts';
import { scopeOf } from '../../../domain/keys/types.ts';
import { accepted, ok, route, type Route } from '../../route.ts';
import { TREE_BYTES } from '../../traffic/answer-sizes.ts';
import { artifactRoutes } from './artifact-routes.ts';
import { chunkRoutes } from './chunk-routes.ts';
import { CHUNKS } from './chunk-routes.ts';
import { presentDocument, presentDocumentDetail } from './presenter.ts';
import {
  selectionBody,
  deletionShape,
  retryShape,
  documentChanges,
  documentDetailShape,
  documentListQuery,
  documentQuery,
  documentShape,
  purgeQuery,
} from './schemas.ts';
import { sendWithMember } from '../../send-with-member.ts';
import { readSelection } from './selection.ts';
import { uploadRoutes } from './upload-routes.ts';

const tag = 'Documents';
const DOCUMENTS = '/v1/w/{ws}/col/{col}/docs';
const DOCUMENT = `${DOCUMENTS}/{doc_id}` as const;

export interface DocumentRouteDeps {
  documents: DocumentService;
  removal: DocumentRemoval;
  content: DocumentContent;
  basePath: string;
}

export function documentRoutes({ documents, removal, content, basePath }: DocumentRouteDeps): Route[] {
  return [
    ...uploadRoutes(documents),
    route({
      method: 'GET',
      path: DOCUMENTS,
      operationId: 'listDocuments',
      summary: 'List documents, newest first; deleted ones only with status=deleted',
      tag,
      permission: 'read',
      query: documentListQuery,
      response: documentShape,
      list: true,
      scoped: true,
      handler: async ({ params, principal, query, page }) => {
        const filter = { ...query, among: scopeOf(principal)?.condition };
        const found = await documents.list(params.ws, params.col, filter, page);
        return ok({ ...found, items: found.items.map(presentDocument) });
      },
    }),
    route({
      method: 'GET',
      path: DOCUMENT,
      operationId: 'getDocument',
      summary: 'Read a document, with its block tree, chunks and vectors if requested',
      tag,
      permission: 'read',
      query: documentQuery,
      renders: true,
      response: documentDetailShape,
      answerBytes: ({ include }) => (include === undefined || include.length === 0 ? 0 : TREE_BYTES),
      handler: async ({ params, principal, query, signal, cursorOf, reply }) => {
        const waitMs = (query.wait ?? 0) * 1000;
        const record = await documents.wait(params.ws, params.doc_id, waitMs, signal, scopeOf(principal));
        const parts = await content.parts(record, new Set(query.include));
        const filters = parts.vectors === undefined ? {} : { include: ['vectors'] };
        const { nextChunk } = parts;
        const cursor = typeof nextChunk === 'string' ? cursorOf(CHUNKS, filters, nextChunk) : null;
        const { tree } = parts;
        if (tree === undefined || tree === null || 'blocks' in tree) {
          return ok(presentDocumentDetail({ ...parts, tree }, cursor));
        }
        return sendWithMember(reply, presentDocumentDetail({ ...parts, tree: undefined }, cursor), 'blocks', tree);
      },
    }),
    route({
      method: 'PATCH',
      path: DOCUMENT,
      operationId: 'updateDocument',
      summary: 'Change name or metadata; a metadata key set to null is removed',
      tag,
      permission: 'write',
      body: documentChanges,
      response: documentShape,
      scoped: true,
      handler: async ({ params, principal, body }) =>
        ok(presentDocument(await documents.update(params.ws, params.doc_id, body, scopeOf(principal)))),
    }),
    route({
      method: 'POST',
      path: `${DOCUMENT}/retry`,
      operationId: 'retryDocument',
      summary: 'Process a failed document again',
      tag,
      permission: 'write',
      response: documentShape,
      statuses: [202],
      scoped: true,
      handler: async ({ params, principal }) =>
        accepted(presentDocument(await documents.retry(params.ws, params.doc_id, scopeOf(principal)))),
    }),
    route({
      method: 'POST',
      path: `${DOCUMENTS}/retry`,
      operationId: 'retryDocuments',
      summary: 'Process many failed documents again, by id or by filter',
      description: 'Documents that are not `failed` are skipped.',
      tag,
      permission: 'write',
      body: selectionBody,
      response: retryShape,
      statuses: [202],
      scoped: true,
      handler: async ({ params, principal, body }) => {
        const selection = readSelection(body);
        const retried = await documents.retryMany(params.ws, params.col, selection, scopeOf(principal));
        return accepted({ retried });
      },
    }),
    route({
      method: 'DELETE',
      path: DOCUMENT,
      operationId: 'deleteDocument',
      summary: 'Delete a document: hidden from search before the answer is sent',
      description: 'With `purge=true` (admin) record, vectors and artifacts are erased for good.',
      tag,
      permission: 'write',
      adminQuery: 'purge',
      query: purgeQuery,
      response: documentShape,
      scoped: true,
      handler: async ({ params, principal, query }) => {
        const { ws, col, doc_id: id } = params;
        return ok(presentDocument(await removal.remove(ws, col, id, query.purge === true, scopeOf(principal))));
      },
    }),
    route({
      method: 'PUT',
      path: `${DOCUMENT}/undelete`,
      operationId: 'undeleteDocument',
      summary: 'Restore a deleted document in the state it had',
      tag,
      permission: 'write',
      response: documentShape,
      scoped: true,
      handler: async ({ params, principal }) =>
        ok(presentDocument(await removal.undelete(params.ws, params.doc_id, scopeOf(principal)))),
    }),
    route({
      method: 'POST',
      path: `${DOCUMENTS}/delete`,
      operationId: 'deleteDocuments',
      summary: 'Delete many documents, by id or by filter',
      tag,
      permission: 'write',
      body: selectionBody,
      response: deletionShape,
      scoped: true,
      handler: async ({ params, principal, body }) =>
        ok({ deleted: await removal.deleteMany(params.ws, params.col, readSelection(body), scopeOf(principal)) }),
    }),
    ...chunkRoutes(content),
    ...ARTIFACT_NAMES.map((name) => artifactRoutes.read(name, content)),
    artifactRoutes.links(content, basePath),
  ];
}
