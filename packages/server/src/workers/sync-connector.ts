/** The jobs of connectors: one slice of a synchronisation; deleting the documents of a deleted connector. */
import type { SyncRuns } from '../domain/connectors/sync/sync-runs.ts';
import type { JobHandler } from '../queue/job-queue.ts';

export const syncConnector =
  (deps: { runs: SyncRuns }): JobHandler<'sync-connector'> =>
  ({ syncId }, { signal }) =>
    deps.runs.runSlice(syncId, signal);

export interface DeleteImportedDeps {
  /** Deletes the next documents; returns whether there may be more. */
  deleteNext: (connector: { workspaceId: string; collectionId: string; connectorId: string }) => Promise<boolean>;
}

export const deleteConnectorDocuments =
  (deps: DeleteImportedDeps): JobHandler<'delete-connector-documents'> =>
  async (payload, { signal }) => {
    do signal.throwIfAborted();
    while (await deps.deleteNext(payload));
  };
