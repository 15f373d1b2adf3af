/** The jobs of connectors: one slice of a synchronisation; deleting the documents of a deleted connector. */
import type { SyncRuns } from '../domain/connectors/sync/sync-runs.ts';
import type { JobClaim, JobHandler } from '../queue/job-queue.ts';

export const syncConnector =
  (deps: { runs: SyncRuns }): JobHandler<'sync-connector'> =>
  ({ syncId }, { signal, job }) =>
    deps.runs.runSlice(syncId, signal, job);

export interface DeleteImportedDeps {
  /** Deletes the next documents; returns whether there may be more. The last step ends the job. */
  deleteNext: (
    connector: { workspaceId: string; collectionId: string; connectorId: string },
    job: JobClaim,
  ) => Promise<boolean>;
}

export const deleteConnectorDocuments =
  (deps: DeleteImportedDeps): JobHandler<'delete-connector-documents'> =>
  async (payload, { signal, job }) => {
    do signal.throwIfAborted();
    while (await deps.deleteNext(payload, job));
    return 'recorded';
  };
