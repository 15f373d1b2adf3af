/** The synchronisations of a connector: progress, outcome, the changes of a dry run, held deletions. */
import type { Connector, ConnectorSync } from '@quire/client';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Button } from '../../components/controls/button.tsx';
import { formatBytes, formatCount, formatTime } from '../../components/content/format.ts';
import { Empty, Skeleton } from '../../components/page.tsx';
import { Progress, Status, type Tone } from '../../components/states/status.tsx';
import { Time } from '../../components/content/time.tsx';
import { toast } from '../../components/states/toast.tsx';
import { useList } from '../../data/list.ts';
import { useWorkspace } from '../../data/workspace.ts';
import { syncsList } from './queries.ts';

const api = getRouteApi('/w/$ws/connectors');

const TONES: Readonly<Record<ConnectorSync['status'], Tone>> = {
  running: 'busy',
  done: 'ok',
  done_with_errors: 'warn',
  failed: 'danger',
  cancelled: 'neutral',
  held: 'warn',
};

export function Syncs({ connector }: { connector: Connector }): React.ReactElement {
  const { rows, isLoading } = useList(syncsList(useWorkspace(), connector.id));
  const { sync: shown = rows[0]?.id } = api.useSearch();
  return (
    <section aria-labelledby="syncs">
      <h2 id="syncs" className="mb-2 font-display text-lg">
        Synchronisations
      </h2>
      {isLoading && <Skeleton rows={3} />}
      {!isLoading && rows.length === 0 && (
        <Empty icon="connectors" title="Nothing was imported yet">
          List the changes first, if you want to see what an import would do.
        </Empty>
      )}
      <ul className="card divide-y divide-line empty:hidden">
        {rows.map((sync) => (
          <li key={sync.id}>
            <details open={sync.id === shown} className="px-3 py-2">
              <summary>
                <SyncLine {...sync} />
              </summary>
              <SyncDetail connectorId={connector.id} sync={sync} />
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}

const SyncLine = ({ status, phase, dryRun, startedAt, counts }: ConnectorSync): React.ReactElement => (
  <span className="ml-1 [&>*]:mr-3">
    <Time at={startedAt} />
    <Status tone={TONES[status]}>
      {status.replaceAll('_', ' ')}
      {phase !== null && `: ${phase}`}
    </Status>
    {dryRun && <span className="text-muted">changes only</span>}
    <span className="text-muted">
      {formatCount(counts.added)} added, {formatCount(counts.updated)} updated, {formatCount(counts.deleted)} deleted
      {counts.failed > 0 && `, ${formatCount(counts.failed)} failed`}
    </span>
  </span>
);

function SyncDetail({ connectorId, sync }: { connectorId: string; sync: ConnectorSync }): React.ReactElement {
  const { id: ws, quire } = useWorkspace();
  const cache = useQueryClient();
  const { progress, counts, changes, warnings, status, error, nextTryAt } = sync;
  const act = async (failure: string, action: () => Promise<unknown>): Promise<void> => {
    try {
      await action();
      await cache.invalidateQueries({ queryKey: [ws, 'connector'] });
    } catch (fault) {
      toast.failed(failure, fault);
    }
  };
  return (
    <div className="mt-2 space-y-3 pl-4">
      {error !== null && (
        <p className={`rounded-md px-3 py-2 ${nextTryAt === null ? 'bg-danger-soft' : 'bg-warn-soft'}`}>
          {error.message}
          {nextTryAt !== null && `. The next try is at ${formatTime(nextTryAt)}.`}
        </p>
      )}
      {warnings.map(({ type, message }) => (
        <p key={type} className="rounded-md bg-warn-soft px-3 py-2">
          {message}
        </p>
      ))}
      <p className="text-muted">
        {formatCount(counts.listed)} listed, {formatCount(counts.unchanged)} unchanged, {formatCount(counts.skipped)}{' '}
        skipped; {formatCount(progress.fetched)} of {formatCount(progress.toFetch)} fetched (
        {formatBytes(progress.fetchedBytes)})
      </p>
      {status === 'running' && (
        <div className="flex items-center gap-3">
          <span className="flex-1">
            <Progress
              value={progress.toFetch === 0 ? 0 : progress.fetched / progress.toFetch}
              label="Progress of the synchronisation"
            />
          </span>
          <Button
            icon="stop"
            needs="write"
            onClick={() => void act('It was not stopped', () => quire.connectors.cancelSync(connectorId, sync.id))}
          >
            Stop
          </Button>
        </div>
      )}
      {status === 'held' && (
        <div className="flex flex-wrap items-center gap-3 rounded-md bg-warn-soft px-3 py-2">
          <p className="flex-1">
            The source lost so many files that nothing was deleted. Check the source; then delete their documents here
            too, or leave them.
          </p>
          <Button
            kind="danger"
            needs="admin"
            onClick={() => void act('It was not approved', () => quire.connectors.approveSync(connectorId, sync.id))}
          >
            Delete the documents
          </Button>
        </div>
      )}
      {changes.length > 0 && <Changes changes={changes} />}
    </div>
  );
}

const CHANGE_TONES: Readonly<Record<ConnectorSync['changes'][number]['change'], Tone>> = {
  add: 'ok',
  update: 'busy',
  delete: 'danger',
  skip: 'neutral',
};

const Changes = ({ changes }: Pick<ConnectorSync, 'changes'>): React.ReactElement => (
  <ul className="max-h-96 space-y-1 overflow-auto" aria-label="Changes">
    {changes.map(({ path, change, reason }) => (
      <li key={path} className="flex flex-wrap items-baseline gap-x-2">
        <Status tone={CHANGE_TONES[change]}>{change}</Status>
        <span>{path}</span>
        {reason !== null && <span className="text-muted">{reason}</span>}
      </li>
    ))}
  </ul>
);
