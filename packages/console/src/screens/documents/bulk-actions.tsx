import type { Document } from '@quire/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { Confirm } from '../../components/dialogs/confirm.tsx';
import { ErrorBox } from '../../components/states/error-box.tsx';
import { Progress } from '../../components/states/status.tsx';
import { toast } from '../../components/states/toast.tsx';
import { documentsKey } from '../../data/documents.ts';
import { callForEach, type Failure } from '../../data/each.ts';
import { useWorkspace } from '../../data/workspace.ts';
import { useKeys } from '../../shell/keys.ts';

interface BulkActionsProps {
  collectionId: string;
  documents: readonly Document[];
  /** Gets the documents that stay selected. */
  onDone: (selected: readonly Document[]) => void;
}

/** Maximum number of documents of one request. */
const BATCH = 1_000;

const plural = (count: number): string => `${count} ${count === 1 ? 'document' : 'documents'}`;

const BAR = 'flex flex-wrap items-center gap-2 bg-accent-soft px-4 py-1.5 md:px-6';

/** Actions on the selected documents. */
export function BulkActions({ collectionId, documents, onDone }: BulkActionsProps): React.ReactElement {
  const { id: ws, quire } = useWorkspace();
  const cache = useQueryClient();
  const [isDeleting, setDeleting] = useState(false);
  const api = quire.collection(collectionId).documents;
  const failed = documents.filter(({ status }) => status === 'failed');
  const deleted = documents.filter(({ status }) => status === 'deleted');
  const present = documents.filter(({ status }) => status !== 'deleted');
  const refresh = (): Promise<void> => cache.invalidateQueries({ queryKey: documentsKey(ws, collectionId) });
  const done = (title: string): void => {
    toast.done(title);
    void refresh();
    onDone([]);
  };
  const { restored, failures, restore } = useRestore(
    (id) => api.undelete(id),
    (total, failed) => {
      if (failed.length === 0) return done(`Restored ${plural(total)}`);
      void refresh();
      onDone(failed);
    },
  );
  const inBatches = async (chosen: readonly Document[], call: (ids: string[]) => Promise<unknown>): Promise<void> => {
    for (let start = 0; start < chosen.length; start += BATCH)
      await call(chosen.slice(start, start + BATCH).map(({ id }) => id));
  };
  const run = async (title: string, action: () => Promise<unknown>): Promise<void> => {
    try {
      await action();
      done(title);
    } catch (error) {
      toast.failed('It did not work', error);
    }
  };
  const attempt = (title: string, action: () => Promise<unknown>): void => void run(title, action);
  const remove = async (): Promise<void> => {
    await inBatches(present, (documentIds) => api.deleteMany({ documentIds }));
    done(`Deleted ${plural(present.length)}`);
  };
  useKeys('Selection', [{ key: 'Delete', label: 'Delete the selected documents', run: () => setDeleting(true) }]);
  return (
    <div role="toolbar" aria-label="Selection" className={BAR}>
      <span aria-live="polite">{plural(documents.length)} selected</span>
      {failed.length > 0 && (
        <Button
          icon="retry"
          needs="write"
          onClick={() =>
            attempt(`Retrying ${plural(failed.length)}`, () =>
              inBatches(failed, (documentIds) => api.retryMany({ documentIds })),
            )
          }
        >
          Retry {failed.length}
        </Button>
      )}
      {deleted.length > 0 && (
        <Button needs="write" isBusy={restored !== undefined} onClick={() => void restore(deleted)}>
          Restore {deleted.length}
        </Button>
      )}
      {restored !== undefined && (
        <span className="flex items-center gap-2" aria-live="polite">
          {restored.count} of {restored.total} restored
          <span className="w-24">
            <Progress value={restored.count / restored.total} label="Restored documents" />
          </span>
        </span>
      )}
      {present.length > 0 && (
        <Button icon="trash" needs="write" onClick={() => setDeleting(true)}>
          Delete {present.length}
        </Button>
      )}
      <Button kind="quiet" onClick={() => onDone([])}>
        Clear the selection
      </Button>
      {failures.length > 0 && <NotRestored failures={failures} />}
      <Confirm
        title={`Delete ${plural(present.length)}?`}
        action="Delete"
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onConfirm={remove}
      >
        No search or answer finds them from now on. They can be restored under “Deleted”.
      </Confirm>
    </div>
  );
}

/** Restores documents one by one, because the service takes no list of them. */
function useRestore(
  call: (id: string) => Promise<unknown>,
  onEnd: (total: number, failed: readonly Document[]) => void,
): {
  /** Progress of a running restore. */
  restored: { count: number; total: number } | undefined;
  failures: readonly Failure<Document>[];
  restore: (documents: readonly Document[]) => Promise<void>;
} {
  const [restored, setRestored] = useState<{ count: number; total: number }>();
  const [failures, setFailures] = useState<readonly Failure<Document>[]>([]);
  const restore = async (documents: readonly Document[]): Promise<void> => {
    const total = documents.length;
    setFailures([]);
    setRestored({ count: 0, total });
    const failed = await callForEach(
      documents,
      ({ id }) => call(id),
      (count) => setRestored({ count, total }),
    );
    setRestored(undefined);
    setFailures(failed);
    onEnd(
      total,
      failed.map(({ item }) => item),
    );
  };
  return { restored, failures, restore };
}

const MAX_FAILURES = 20;

const NotRestored = ({ failures }: { failures: readonly Failure<Document>[] }): React.ReactElement => (
  <section aria-label="Not restored" className="max-h-48 basis-full space-y-1 overflow-auto py-1">
    <p className="font-medium">
      {failures.length === 1 ? '1 document was not restored' : `${failures.length} documents were not restored`}
    </p>
    {failures.slice(0, MAX_FAILURES).map(({ item, error }) => (
      <div key={item.id}>
        <p className="truncate">{item.name}</p>
        <ErrorBox error={error} />
      </div>
    ))}
    {failures.length > MAX_FAILURES && <p>and {failures.length - MAX_FAILURES} more</p>}
  </section>
);
