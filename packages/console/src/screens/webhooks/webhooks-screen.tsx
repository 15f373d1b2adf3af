/** The webhooks of the workspace and the log of what was delivered. */
import type { Webhook } from '@quire/client';
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
import { useList } from '../../data/list.ts';
import { useWorkspace } from '../../data/workspace.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import { NewWebhook } from './new-webhook.tsx';
import { webhooksList } from './queries.ts';
import { WebhookDialog } from './webhook-dialog.tsx';

export const route = createLazyRoute('/w/$ws/webhooks')({ component: WebhooksScreen });

const api = getRouteApi('/w/$ws/webhooks');

const columnsFor = (sendTest: (webhook: Webhook) => void): readonly Column<Webhook>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: ({ workspaceId, id, name, url }) => (
      <>
        <Link
          to="/w/$ws/webhooks"
          params={{ ws: workspaceId }}
          search={{ webhook: id }}
          data-open
          className="font-medium text-ink no-underline hover:underline"
        >
          {name}
        </Link>
        <span className="ml-2 text-muted max-md:hidden">{url}</span>
      </>
    ),
  },
  { id: 'events', header: 'Events', width: '18rem', isWide: true, cell: ({ events }) => events.join(', ') },
  { id: 'status', header: 'Status', width: '7rem', cell: (webhook) => <WebhookStatus {...webhook} /> },
  {
    id: 'last',
    header: 'Last delivery',
    width: '8rem',
    isWide: true,
    cell: ({ lastDeliveryAt }) => (lastDeliveryAt === null ? 'none' : <Time at={lastDeliveryAt} />),
  },
  {
    id: 'actions',
    header: <span className="sr-only">Actions</span>,
    width: '5rem',
    align: 'right',
    cell: (webhook) => (
      <Button
        kind="quiet"
        className="text-accent"
        needs="admin"
        onClick={() => sendTest(webhook)}
        aria-label={`Test ${webhook.name}`}
      >
        Test
      </Button>
    ),
  },
];

const WebhookStatus = ({ status }: Webhook): React.ReactElement =>
  status === 'active' ? <Status tone="ok">active</Status> : <Status tone="danger">disabled</Status>;

function WebhooksScreen(): React.ReactElement {
  const workspace = useWorkspace();
  const list = useList(webhooksList(workspace));
  const search = api.useSearch();
  const navigate = api.useNavigate();
  const cache = useQueryClient();
  const { id: ws, quire } = workspace;
  const columns = useMemo(() => {
    const sendTest = async ({ id, name }: Webhook): Promise<void> => {
      try {
        const delivery = await quire.webhooks.test(id);
        toast.done(`Sent a test event to “${name}”`);
        void cache.invalidateQueries({ queryKey: [ws, 'deliveries'] });
        await navigate({ search: (old) => ({ ...old, delivery: delivery.id }) });
      } catch (error) {
        toast.failed(`No test event was sent to “${name}”`, error);
      }
    };
    return columnsFor((webhook) => void sendTest(webhook));
  }, [quire, ws, cache, navigate]);
  const create = (
    <NewButton needs="admin" onClick={() => void navigate({ search: { new: true } })}>
      New webhook
    </NewButton>
  );
  const { new: isCreating = false, webhook, delivery, ...filter } = search;
  const close = (): void => void navigate({ search: filter, replace: true });
  const shown = list.rows.find(({ id }) => id === webhook);
  return (
    <Page title="Webhooks" actions={create}>
      <DataTable
        label="Webhooks"
        columns={columns}
        list={list}
        rowId={({ id }) => id}
        empty={
          <Empty icon="webhooks" title="No webhooks yet" action={create}>
            A webhook posts a signed message to your application when a document, a run or a synchronisation has ended.
          </Empty>
        }
      />
      {list.rows.length > 0 && (
        <DeliveryLog
          filter={filter}
          webhooks={list.rows}
          onFilter={(next) => void navigate({ search: next, replace: true })}
        />
      )}
      <NewWebhook isOpen={isCreating} onClose={close} />
      {shown !== undefined && <WebhookDialog webhook={shown} onClose={close} />}
      {delivery !== undefined && <DeliveryDialog id={delivery} webhooks={list.rows} onClose={close} />}
    </Page>
  );
}
