import type { Collection } from '@quire/client';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { formatCount } from '../../components/content/format.ts';
import { toast } from '../../components/states/toast.tsx';
import { failureOf } from '../../data/document-words.ts';
import { documentsKey } from '../../data/documents.ts';
import { useWorkspace } from '../../data/workspace.ts';

const api = getRouteApi('/w/$ws/collections/$col');

/** Failed documents by reason, each with its remedy and a retry of the group. */
export function FailureGroups({
  collection,
  chosen,
}: {
  collection: Collection;
  chosen: string | undefined;
}): React.ReactNode {
  const { ws, col } = api.useParams();
  const groups = Object.entries(collection.failedByType).filter(([, count]) => count > 0);
  const { isBusy, retry } = useRetry(col);
  if (groups.length === 0) return null;
  return (
    <section aria-label="Failures by reason" className="border-b border-line bg-sunken px-4 py-2 md:px-6">
      <ul className="space-y-1">
        {groups.map(([type, count]) => {
          const { title, remedy, canRetry } = failureOf(type);
          return (
            <li key={type} className="flex flex-wrap items-baseline gap-x-3">
              <Link
                to="/w/$ws/collections/$col"
                params={{ ws, col }}
                search={{ status: 'failed', ...(chosen === type ? {} : { error: type }) }}
                aria-current={chosen === type ? 'true' : undefined}
                className={chosen === type ? 'font-semibold' : ''}
              >
                {formatCount(count)} × {title}
              </Link>
              <span className="text-muted max-md:order-last max-md:basis-full md:flex-1">{remedy}</span>
              {canRetry && (
                <Button
                  kind="quiet"
                  icon="retry"
                  needs="write"
                  className="max-md:ml-auto"
                  isBusy={isBusy}
                  onClick={() => retry(type)}
                >
                  Retry these
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {groups.length > 1 && (
        <Button className="mt-2" icon="retry" needs="write" isBusy={isBusy} onClick={() => retry(undefined)}>
          Retry all failed documents
        </Button>
      )}
    </section>
  );
}

function useRetry(collectionId: string): { isBusy: boolean; retry: (type: string | undefined) => void } {
  const { id: ws, quire } = useWorkspace();
  const cache = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const { documents } = quire.collection(collectionId);
  const send = async (type: string | undefined): Promise<number> => {
    if (type === undefined) return (await documents.retryMany({ filter: { status: 'failed' } })).retried;
    // Filters do not support the reason of a failure; the list does.
    const ids: string[] = [];
    for await (const { id } of documents.list({ status: 'failed', errorType: type as 'internal', limit: 100 }))
      ids.push(id);
    let retried = 0;
    for (let start = 0; start < ids.length; start += 1_000)
      retried += (await documents.retryMany({ documentIds: ids.slice(start, start + 1_000) })).retried;
    return retried;
  };
  const retry = (type: string | undefined): void => {
    setBusy(true);
    void send(type)
      .then(
        (count) => toast.done(`Retrying ${formatCount(count)} ${count === 1 ? 'document' : 'documents'}`),
        (error: unknown) => toast.failed('The retry failed', error),
      )
      .finally(() => {
        setBusy(false);
        void cache.invalidateQueries({ queryKey: documentsKey(ws, collectionId) });
      });
  };
  return { isBusy, retry };
}
