/** The audit log with filters; a value in a row filters by it. */
import type { AuditEntry, Key } from '@quire/client';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { CopyText } from '../../components/controls/copy.tsx';
import type { Column } from '../../components/table/column.ts';
import { DataTable } from '../../components/table/data-table.tsx';
import { Empty, Page } from '../../components/page.tsx';
import { Status } from '../../components/states/status.tsx';
import { formatTime } from '../../components/content/format.ts';
import { toast } from '../../components/states/toast.tsx';
import { listOptions, useList } from '../../data/list.ts';
import { useWorkspace, type WorkspaceContext } from '../../data/workspace.ts';
import { saveFile } from '../../components/content/save-file.ts';

export const route = createLazyRoute('/w/$ws/audit')({ component: AuditScreen });

const api = getRouteApi('/w/$ws/audit');
type Filters = ReturnType<typeof api.useSearch>;

/** Returns the parameters of the API; a day is the beginning of that day where the browser is. */
function parametersOf({ since, ...filters }: Filters): Omit<Filters, 'since'> & { since?: string } {
  const start = since === undefined ? Number.NaN : Date.parse(`${since}T00:00:00`);
  return Number.isNaN(start) ? filters : { ...filters, since: new Date(start).toISOString() };
}

const auditList = ({ id, quire }: WorkspaceContext, filters: Filters) =>
  listOptions<AuditEntry>([id, 'audit', filters], (signal) =>
    quire.audit.list({ ...definedOnly(parametersOf(filters)), limit: 100, signal }),
  );

const definedOnly = <T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;

const namesQuery = ({ id, quire }: WorkspaceContext) => ({
  queryKey: [id, 'keys', 'names'],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<ReadonlyMap<string, string>> => {
    const { items } = await quire.keys.list({ limit: 100, signal }).page();
    return new Map(items.map(({ id: key, name }: Key) => [key, name]));
  },
});

function columnsFor(
  names: ReadonlyMap<string, string>,
  filterBy: (filters: Filters) => void,
): readonly Column<AuditEntry>[] {
  return [
    {
      id: 'at',
      header: 'Time',
      width: 'min(13rem, 50vw)',
      cell: ({ at }) => (
        <time dateTime={at} title={at}>
          {formatTime(at)}
        </time>
      ),
    },
    {
      id: 'action',
      header: 'Action',
      cell: ({ action, outcome, details }) => (
        <span className="flex items-center gap-2">
          <FilterButton onClick={() => filterBy({ action })}>{action}</FilterButton>
          {outcome === 'refused' && <Status tone="danger">refused</Status>}
          {details !== null && <code className="truncate text-muted">{JSON.stringify(details)}</code>}
        </span>
      ),
    },
    {
      id: 'resource',
      header: 'Record',
      width: '11.5rem',
      isWide: true,
      cell: ({ resourceType, resourceId }) => (
        <>
          <FilterButton onClick={() => filterBy({ resourceType })}>{resourceType}</FilterButton>{' '}
          {resourceId !== null && <CopyText text={resourceId} shown={resourceId.slice(-8)} />}
        </>
      ),
    },
    {
      id: 'actor',
      header: 'By',
      width: '8.5rem',
      isWide: true,
      cell: ({ actor, keyId, subject }) =>
        keyId === null ? (
          actor
        ) : (
          <FilterButton onClick={() => filterBy({ keyId })}>
            {names.get(keyId) ?? `${actor} ${keyId.slice(-8)}`}
            {subject !== null && ` for ${subject}`}
          </FilterButton>
        ),
    },
    { id: 'address', header: 'Address', width: '7.5rem', isWide: true, cell: ({ address }) => address },
    {
      id: 'request',
      header: 'Request',
      width: '7.5rem',
      isWide: true,
      cell: ({ requestId }) => <CopyText text={requestId} shown={requestId.slice(-8)} />,
    },
  ];
}

const FilterButton = ({
  onClick,
  children,
}: {
  onClick: () => void;
  children: React.ReactNode;
}): React.ReactElement => (
  <button type="button" title="Show only these" className="rounded text-left hover:underline" onClick={onClick}>
    {children}
  </button>
);

function AuditScreen(): React.ReactElement {
  const workspace = useWorkspace();
  const filters = api.useSearch();
  const navigate = api.useNavigate();
  const list = useList(auditList(workspace, filters));
  const { data: names } = useQuery(namesQuery(workspace));
  const columns = useMemo(
    () => columnsFor(names ?? new Map(), (more) => void navigate({ search: (old) => ({ ...old, ...more }) })),
    [names, navigate],
  );
  const exportEntries = async (): Promise<void> => {
    try {
      const query = { ...definedOnly(parametersOf(filters)), format: 'jsonl', order: 'asc' };
      const { body } = await workspace.quire.raw<string>({ path: '/v1/w/{ws}/audit', query });
      saveFile(new Blob([body], { type: 'application/x-ndjson' }), 'audit.jsonl');
    } catch (error) {
      toast.failed('The entries were not exported', error);
    }
  };
  return (
    <Page
      title="Audit"
      isFull
      actions={
        <Button icon="download" needs="admin" onClick={() => void exportEntries()}>
          Export
        </Button>
      }
    >
      <FilterBar filters={filters} names={names} onChange={(search) => void navigate({ search, replace: true })} />
      <div className="flex min-h-0 flex-1 flex-col px-4 md:px-6">
        <DataTable
          label="Entries"
          columns={columns}
          list={list}
          rowId={({ id }) => id}
          isFull
          empty={
            <Empty icon="audit" title="No entries match">
              Changes, reads of originals and refused calls are recorded.
            </Empty>
          }
        />
      </div>
    </Page>
  );
}

interface FilterBarProps {
  filters: Filters;
  names: ReadonlyMap<string, string> | undefined;
  onChange: (filters: Filters) => void;
}

function FilterBar({ filters, names, onChange }: FilterBarProps): React.ReactElement {
  const { since, outcome, keyId, ...others } = filters;
  const chips = Object.entries(others).flatMap(([name, value]) => (typeof value === 'string' ? [{ name, value }] : []));
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 pb-3 md:px-6">
      <label className="flex items-center gap-1.5 text-muted">
        Since
        <input
          type="date"
          className="input text-ink"
          value={since ?? ''}
          onChange={({ target }) => onChange({ ...filters, since: target.value || undefined })}
        />
      </label>
      <select
        aria-label="Outcome"
        className="input"
        value={outcome ?? ''}
        onChange={({ target: { value } }) =>
          onChange({ ...filters, outcome: value === 'done' || value === 'refused' ? value : undefined })
        }
      >
        <option value="">Done and refused</option>
        <option value="done">Done</option>
        <option value="refused">Refused</option>
      </select>
      <select
        aria-label="Key"
        className="input max-w-48"
        value={keyId ?? ''}
        onChange={({ target }) => onChange({ ...filters, keyId: target.value || undefined })}
      >
        <option value="">All keys</option>
        {[...(names ?? [])].map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {keyId !== undefined && names?.has(keyId) !== true && <option value={keyId}>{keyId}</option>}
      </select>
      {chips.map(({ name, value }) => (
        <Button
          key={name}
          icon="close"
          aria-label={`Remove the filter ${name} ${value}`}
          onClick={() => onChange({ ...filters, [name]: undefined })}
        >
          {value}
        </Button>
      ))}
    </div>
  );
}
