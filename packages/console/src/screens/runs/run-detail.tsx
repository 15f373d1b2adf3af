/** One run: its state, and the results of each file. */
import type { Run } from '@quire/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Button } from '../../components/controls/button.tsx';
import { ErrorBox } from '../../components/states/error-box.tsx';
import { formatTime } from '../../components/content/format.ts';
import { Page, Skeleton } from '../../components/page.tsx';
import { Progress } from '../../components/states/status.tsx';
import { toast } from '../../components/states/toast.tsx';
import { useWorkspace } from '../../data/workspace.ts';
import { FileOutcome } from './file-outcome.tsx';
import { runQuery } from './queries.ts';
import { RunStatus } from './run-status.tsx';

export function RunDetail({ id }: { id: string }): React.ReactElement {
  const workspace = useWorkspace();
  const { data: run, error, refetch } = useQuery(runQuery(workspace, id));
  const above = (
    <Link to="/w/$ws/runs" params={{ ws: workspace.id }}>
      Runs
    </Link>
  );
  return (
    <Page title={run?.files[0] ?? 'Run'} above={above} actions={run !== undefined && <Actions run={run} />}>
      {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {run === undefined && error === null && <Skeleton />}
      {run !== undefined && <Results run={run} />}
    </Page>
  );
}

function Results({ run }: { run: Run }): React.ReactElement {
  const { status, progress, error, outcome, expiresAt, outputsDeletedAt } = run;
  return (
    <div className="space-y-6">
      <p className="flex flex-wrap items-center gap-3 text-muted" aria-live="polite">
        <RunStatus status={status} />
        {outputsDeletedAt === null
          ? expiresAt !== null && `Files and results are deleted ${formatTime(expiresAt)}.`
          : 'Files and results are deleted.'}
      </p>
      {status === 'running' && <Progress value={progress} label="Progress of the run" />}
      {error !== null && <p className="rounded-md bg-danger-soft px-3 py-2">{error.message}</p>}
      {outcome?.files.map((file, index) => (
        <FileOutcome key={`${file.name} ${index}`} run={run} file={file} number={index + 1} />
      ))}
    </div>
  );
}

function Actions({ run: { id, status } }: { run: Run }): React.ReactElement {
  const { id: ws, quire } = useWorkspace();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const isOpen = status === 'queued' || status === 'running' || status === 'idle';
  const act = async (): Promise<void> => {
    try {
      if (isOpen) await quire.runs.cancel(id);
      else await quire.runs.delete(id);
      await cache.invalidateQueries({ queryKey: [ws, 'runs'] });
      if (isOpen) await cache.invalidateQueries({ queryKey: [ws, 'run', id] });
      else await navigate({ to: '/w/$ws/runs', params: { ws } });
    } catch (error) {
      toast.failed(isOpen ? 'The run was not cancelled' : 'The results were not deleted', error);
    }
  };
  return (
    <Button icon={isOpen ? 'stop' : 'trash'} needs="write" onClick={() => void act()}>
      {isOpen ? 'Cancel' : 'Delete now'}
    </Button>
  );
}
