/** One delivery: its attempts, what was sent and what was answered. */
import type { DeliveryDetail, Webhook } from '@quire/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from '../../components/controls/button.tsx';
import { CopyButton, CopyText } from '../../components/controls/copy.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { ErrorBox } from '../../components/states/error-box.tsx';
import { formatMs, formatTime } from '../../components/content/format.ts';
import { Skeleton } from '../../components/page.tsx';
import { toast } from '../../components/states/toast.tsx';
import { useWorkspace } from '../../data/workspace.ts';
import { DeliveryStatus } from './delivery-log.tsx';
import { deliveryQuery } from './queries.ts';

interface DeliveryDialogProps {
  id: string;
  /** The webhooks of the workspace, one of which the delivery belongs to. */
  webhooks: readonly Webhook[];
  onClose: () => void;
}

export function DeliveryDialog({ id, webhooks, onClose }: DeliveryDialogProps): React.ReactElement {
  const { data, error, refetch } = useQuery(deliveryQuery(useWorkspace(), id));
  return (
    <Dialog title="Delivery" isOpen onClose={onClose} width={44}>
      {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton />}
      {data !== undefined && <Details delivery={data} webhook={webhooks.find((each) => each.id === data.webhookId)} />}
    </Dialog>
  );
}

interface DetailsProps {
  delivery: DeliveryDetail;
  /** Undefined if it was deleted. */
  webhook: Webhook | undefined;
}

function Details({ delivery, webhook }: DetailsProps): React.ReactElement {
  const { id, event, eventId, status, attempts, nextAttemptAt, history, body, responseBody } = delivery;
  return (
    <div className="space-y-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{event}</span>
        <DeliveryStatus status={status} />
        {nextAttemptAt !== null && <span className="text-muted">next attempt {formatTime(nextAttemptAt)}</span>}
        <span className="text-muted">
          event <CopyText text={eventId} shown={eventId.slice(-8)} /> · delivery{' '}
          <CopyText text={id} shown={id.slice(-8)} />
        </span>
        <Redeliver id={id} />
        {webhook !== undefined && (
          <span className="basis-full">
            {webhook.name} <span className="text-muted">{webhook.url}</span>
          </span>
        )}
      </div>
      <section>
        <h3 className="font-medium">{attempts === 1 ? 'One attempt' : `${attempts} attempts`}</h3>
        <ol className="mt-1 space-y-1">
          {history.map(({ at, statusCode, error, durationMs }) => (
            <li key={at} className="flex flex-wrap gap-x-3">
              <time dateTime={at} className="text-muted">
                {formatTime(at)}
              </time>
              <span>{error ?? `HTTP ${statusCode}`}</span>
              {durationMs !== null && <span className="text-muted">{formatMs(durationMs)}</span>}
            </li>
          ))}
        </ol>
      </section>
      <Body title="Sent" text={pretty(body)} />
      {responseBody !== null && responseBody !== '' && <Body title="Answered" text={responseBody} />}
    </div>
  );
}

function Redeliver({ id }: { id: string }): React.ReactElement {
  const { id: ws, quire } = useWorkspace();
  const cache = useQueryClient();
  const redeliver = async (): Promise<void> => {
    try {
      await quire.deliveries.redeliver(id);
      toast.done('The delivery is sent again');
      await cache.invalidateQueries({ queryKey: [ws, 'deliveries'] });
      await cache.invalidateQueries({ queryKey: [ws, 'delivery', id] });
    } catch (error) {
      toast.failed('The delivery was not sent again', error);
    }
  };
  return (
    <Button icon="retry" needs="admin" className="ml-auto" onClick={() => void redeliver()}>
      Send again
    </Button>
  );
}

const Body = ({ title, text }: { title: string; text: string }): React.ReactElement => (
  <section>
    <div className="flex items-center justify-between">
      <h3 className="font-medium">{title}</h3>
      <CopyButton text={text} />
    </div>
    <pre
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls needs the focus
      tabIndex={0}
      aria-label={title}
      role="region"
      className="max-h-72 overflow-auto rounded-md bg-sunken p-3 font-mono text-sm whitespace-pre-wrap"
    >
      {text}
    </pre>
  </section>
);

/** Returns JSON with line breaks; other text as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
