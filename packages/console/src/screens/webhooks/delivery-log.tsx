/** Deliveries of all webhooks with filters, and the button that sends failed ones again. */
import type { Delivery, Webhook } from '@quire/client';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Button } from '../../components/controls/button.tsx';
import type { Column } from '../../components/table/column.ts';
import { DataTable } from '../../components/table/data-table.tsx';
import { formatCount, formatMs } from '../../components/content/format.ts';
import { Status, type Tone } from '../../components/states/status.tsx';
import { Time } from '../../components/content/time.tsx';
import { toast } from '../../components/states/toast.tsx';
import { useList } from '../../data/list.ts';
import { useWorkspace } from '../../data/workspace.ts';
import { deliveriesList, EVENTS, type DeliveryFilter } from './queries.ts';

const TONES: Readonly<Record<Delivery['status'], Tone>> = {
  pending: 'busy',
  delivered: 'ok',
  failed: 'danger',
  cancelled: 'neutral',
};
const STATUSES = Object.keys(TONES) as Delivery['status'][];

export const DeliveryStatus = ({ status }: Pick<Delivery, 'status'>): React.ReactElement => (
  <Status tone={TONES[status]}>{status}</Status>
);

const columnsFor = (names: ReadonlyMap<string, string>, filter: DeliveryFilter): readonly Column<Delivery>[] => [
  {
    id: 'event',
    header: 'Event',
    width: 'minmax(0, 11rem)',
    cell: ({ workspaceId, id, event }) => (
      <Link
        to="/w/$ws/webhooks"
        params={{ ws: workspaceId }}
        search={{ ...filter, delivery: id }}
        data-open
        className="text-ink no-underline hover:underline"
      >
        {event}
      </Link>
    ),
  },
  {
    id: 'webhook',
    header: 'Webhook',
    width: 'minmax(0, 9rem)',
    isWide: true,
    cell: ({ webhookId }) => names.get(webhookId) ?? 'deleted',
  },
  { id: 'status', header: 'Status', width: '7.5rem', cell: DeliveryStatus },
  {
    id: 'answer',
    header: 'Answer',
    isWide: true,
    cell: ({ statusCode, error }) => error ?? (statusCode === null ? '' : `HTTP ${statusCode}`),
  },
  {
    id: 'attempts',
    header: 'Attempts',
    width: '5.5rem',
    align: 'right',
    isWide: true,
    cell: ({ attempts }) => attempts,
  },
  {
    id: 'duration',
    header: 'Took',
    width: '5.5rem',
    align: 'right',
    isWide: true,
    cell: ({ durationMs }) => (durationMs === null ? '' : formatMs(durationMs)),
  },
  { id: 'created', header: 'Created', width: 'min(7.5rem, 25vw)', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

interface DeliveryLogProps {
  filter: DeliveryFilter;
  webhooks: readonly Webhook[];
  onFilter: (filter: DeliveryFilter) => void;
}

export function DeliveryLog({ filter, webhooks, onFilter }: DeliveryLogProps): React.ReactElement {
  const workspace = useWorkspace();
  const list = useList(deliveriesList(workspace, undefined, filter));
  const columns = useMemo(
    () => columnsFor(new Map(webhooks.map(({ id, name }) => [id, name])), filter),
    [webhooks, filter],
  );
  return (
    <section aria-labelledby="deliveries" className="mt-10">
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <h2 id="deliveries" className="flex-[1_0_8rem] font-display text-lg max-md:basis-full">
          Deliveries
        </h2>
        <select
          aria-label="Status"
          className="input max-md:flex-1"
          value={filter.status ?? ''}
          onChange={({ target }) => onFilter({ ...filter, status: STATUSES.find((each) => each === target.value) })}
        >
          <option value="">All states</option>
          {STATUSES.map((status) => (
            <option key={status}>{status}</option>
          ))}
        </select>
        <select
          aria-label="Event"
          className="input max-md:flex-1"
          value={filter.event ?? ''}
          onChange={({ target }) =>
            onFilter({ ...filter, event: EVENTS.find(({ value }) => value === target.value)?.value })
          }
        >
          <option value="">All events</option>
          {EVENTS.map(({ value }) => (
            <option key={value}>{value}</option>
          ))}
        </select>
        <RedeliverFailed event={filter.event} />
      </div>
      <DataTable
        label="Deliveries"
        columns={columns}
        list={list}
        rowId={({ id }) => id}
        empty={<p className="py-8 text-center text-muted">No deliveries match.</p>}
      />
    </section>
  );
}

function RedeliverFailed({ event }: Pick<DeliveryFilter, 'event'>): React.ReactElement {
  const { id: ws, quire } = useWorkspace();
  const cache = useQueryClient();
  const redeliver = async (): Promise<void> => {
    try {
      const selection = event === undefined || event === 'webhook.test' ? {} : { event };
      const { redelivered } = await quire.deliveries.redeliverFailed(selection);
      toast.done(redelivered === 0 ? 'No failed deliveries' : `${formatCount(redelivered)} deliveries are sent again`);
      await cache.invalidateQueries({ queryKey: [ws, 'deliveries'] });
    } catch (error) {
      toast.failed('The deliveries were not sent again', error);
    }
  };
  return (
    <Button icon="retry" needs="admin" onClick={() => void redeliver()}>
      Send failed ones again
    </Button>
  );
}
