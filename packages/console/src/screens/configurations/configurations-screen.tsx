/** Language models, embedders and parsers: three lists with the same actions. */
import { useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Button } from '../../components/controls/button.tsx';
import type { Column } from '../../components/table/column.ts';
import { DataTable } from '../../components/table/data-table.tsx';
import { NewButton } from '../../components/controls/new-button.tsx';
import { Empty, Page } from '../../components/page.tsx';
import { Status } from '../../components/states/status.tsx';
import { Time } from '../../components/content/time.tsx';
import { toast } from '../../components/states/toast.tsx';
import { listOptions, useList } from '../../data/list.ts';
import { useWorkspace, type WorkspaceContext } from '../../data/workspace.ts';
import { ConfigurationDialog } from './configuration-dialog.tsx';
import { callsOf, KINDS, providerName, type Configuration, type Kind } from './kinds.ts';
import { TestButton } from './test-button.tsx';

export const route = createLazyRoute('/w/$ws/configurations')({ component: ConfigurationsScreen });

const api = getRouteApi('/w/$ws/configurations');

const configurationsList = ({ id, quire }: WorkspaceContext, kind: Kind, isWithDeleted: boolean) =>
  listOptions<Configuration>([id, 'configurations', kind, isWithDeleted], (signal) =>
    callsOf(quire, kind).list({ limit: 100, includeDeleted: isWithDeleted, signal }),
  );

const columnsFor = (kind: Kind, restore: (configuration: Configuration) => void): readonly Column<Configuration>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: ({ workspaceId, id, name, deletedAt }) =>
      deletedAt === null ? (
        <Link
          to="/w/$ws/configurations"
          params={{ ws: workspaceId }}
          search={{ kind, id }}
          data-open
          className="font-medium text-ink no-underline hover:underline"
        >
          {name}
        </Link>
      ) : (
        <span className="text-muted line-through">{name}</span>
      ),
  },
  {
    id: 'provider',
    header: 'Provider',
    isWide: true,
    cell: ({ config }) => providerName(config.provider),
  },
  { id: 'model', header: 'Model', isWide: true, cell: ({ config }) => ('model' in config ? config.model : '') },
  {
    id: 'default',
    header: 'Default',
    width: '6.75rem',
    cell: ({ isDefault }) => isDefault && <Status tone="ok">default</Status>,
  },
  { id: 'changed', header: 'Changed', width: '8rem', isWide: true, cell: ({ modifiedAt }) => <Time at={modifiedAt} /> },
  {
    id: 'actions',
    header: <span className="sr-only">Actions</span>,
    width: '6.5rem',
    align: 'right',
    cell: (row) =>
      row.deletedAt === null ? (
        <TestButton kind={kind} configuration={row} />
      ) : (
        <Button
          kind="quiet"
          className="text-accent"
          needs="admin"
          aria-label={`Restore ${row.name}`}
          onClick={() => restore(row)}
        >
          Restore
        </Button>
      ),
  },
];

function ConfigurationsScreen(): React.ReactElement {
  const workspace = useWorkspace();
  const { kind = 'models', new: isCreating = false, deleted: isWithDeleted = false, id } = api.useSearch();
  const navigate = api.useNavigate();
  const cache = useQueryClient();
  const list = useList(configurationsList(workspace, kind, isWithDeleted));
  const { id: ws, quire } = workspace;
  const columns = useMemo(() => {
    const restore = async (configuration: Configuration): Promise<void> => {
      try {
        await callsOf(quire, kind).undelete(configuration.id);
        toast.done(`Restored “${configuration.name}”`);
        await cache.invalidateQueries({ queryKey: [ws, 'configurations'] });
      } catch (error) {
        toast.failed(`“${configuration.name}” was not restored`, error);
      }
    };
    return columnsFor(kind, (configuration) => void restore(configuration));
  }, [kind, quire, ws, cache]);
  const { one } = KINDS.find((each) => each.kind === kind) ?? KINDS[0];
  const create = (
    <NewButton needs="admin" onClick={() => void navigate({ search: (old) => ({ ...old, new: true }) })}>
      New {one}
    </NewButton>
  );
  const close = (): void =>
    void navigate({ search: { kind, ...(isWithDeleted && { deleted: true as const }) }, replace: true });
  const shown = list.rows.find((row) => row.id === id);
  return (
    <Page title="Configurations" actions={create}>
      <div className="mb-3 flex flex-wrap items-center gap-1 border-b border-line">
        {KINDS.map((each) => (
          <Link
            key={each.kind}
            to="/w/$ws/configurations"
            params={{ ws }}
            search={{ kind: each.kind }}
            aria-current={each.kind === kind ? 'page' : undefined}
            className="border-b-2 border-transparent px-3 py-1.5 text-ink no-underline aria-[current=page]:border-accent aria-[current=page]:font-medium"
          >
            {each.label}
          </Link>
        ))}
        <label className="ml-auto flex items-center gap-1.5 text-muted">
          <input
            type="checkbox"
            checked={isWithDeleted}
            onChange={({ target }) =>
              void navigate({ search: { kind, ...(target.checked && { deleted: true as const }) }, replace: true })
            }
          />
          Show deleted ones
        </label>
      </div>
      <DataTable
        label={KINDS.find((each) => each.kind === kind)?.label ?? ''}
        columns={columns}
        list={list}
        rowId={(row) => row.id}
        empty={
          <Empty icon="configurations" title={`No ${one} yet`} action={create}>
            {kind === 'models'
              ? 'Without one, chats quote sentences from the documents.'
              : 'The service uses its own until there is one.'}
          </Empty>
        }
      />
      {isCreating && <ConfigurationDialog key={kind} kind={kind} onClose={close} />}
      {shown !== undefined && <ConfigurationDialog key={shown.id} kind={kind} configuration={shown} onClose={close} />}
    </Page>
  );
}
