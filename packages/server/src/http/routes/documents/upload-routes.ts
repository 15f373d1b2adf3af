import type { DocumentRecord } from '../../../database/tables.ts';
import type { DocumentScope } from '../../../domain/documents/scope.ts';
import { scopeOf } from '../../../domain/keys/types.ts';
import type { DocumentService } from '../../../domain/documents/service.ts';
import { isConnectionLoss } from '../../../shared/connection-loss.ts';
import { accepted, ok, route, type Route, type UploadKind } from '../../route.ts';
import { presentDocument } from './presenter.ts';
import { documentShape, replaceQuery, uploadQuery } from './schemas.ts';

const tag = 'Documents';
const DOCUMENTS = '/v1/w/{ws}/col/{col}/docs';

const UPLOAD_ROUTES: readonly {
  kind: UploadKind;
  name: 'file-multipart' | 'file-binary' | 'raw';
  suffix: string;
  how: string;
}[] = [
  { kind: 'multipart', name: 'file-multipart', suffix: 'Multipart', how: 'as a multipart form' },
  { kind: 'binary', name: 'file-binary', suffix: 'Binary', how: 'as the raw body' },
  { kind: 'raw', name: 'raw', suffix: 'Raw', how: 'as text in JSON' },
];

/** Declares the three ways to upload, each for a new document and for new content of an existing one. */
export function uploadRoutes(documents: DocumentService): Route[] {
  return UPLOAD_ROUTES.flatMap(({ kind, name, suffix, how }) => [
    route({
      method: 'POST',
      path: `${DOCUMENTS}/${name}`,
      operationId: `uploadDocument${suffix}`,
      summary: `Upload a document ${how}`,
      description: 'A 202 means: the bytes are on disk and the record is committed. 200: `duplicates=skip` found one.',
      tag,
      permission: 'write',
      upload: kind,
      query: uploadQuery,
      response: documentShape,
      statuses: [202, 200],
      scoped: true,
      handler: async ({ params, principal, query, received, signal }) => {
        const input = { ...received, duplicates: query.duplicates ?? 'allow' };
        const scope = scopeOf(principal);
        const { record, created } = await documents.create(params.ws, params.col, input, scope);
        const shown = await waitFor(documents, record, query.wait, signal, scope);
        return (created ? accepted : ok)(presentDocument(shown));
      },
    }),
    route({
      method: 'PUT',
      path: `${DOCUMENTS}/{doc_id}/${name}`,
      operationId: `replaceDocument${suffix}`,
      summary: `Give a document new content ${how}; the old one stays searchable until the new one is`,
      tag,
      permission: 'write',
      upload: kind,
      query: replaceQuery,
      response: documentShape,
      statuses: [202],
      scoped: true,
      handler: async ({ params, principal, query, received, signal }) => {
        const scope = scopeOf(principal);
        const record = await documents.replace(params.ws, params.doc_id, received, scope);
        return accepted(presentDocument(await waitFor(documents, record, query.wait, signal, scope)));
      },
    }),
  ]);
}

/**
 * Returns the present record, or the one after the requested wait. The upload is committed: if it cannot be read
 * again, the answer is the record as it was written.
 */
async function waitFor(
  documents: DocumentService,
  record: DocumentRecord,
  seconds: number | undefined,
  signal: AbortSignal,
  scope: DocumentScope | null,
): Promise<DocumentRecord> {
  if (seconds === undefined || seconds === 0) return record;
  try {
    return await documents.wait(record.workspace_id, record.id, seconds * 1000, signal, scope);
  } catch (error) {
    if (!isConnectionLoss(error)) throw error;
    return record;
  }
}
