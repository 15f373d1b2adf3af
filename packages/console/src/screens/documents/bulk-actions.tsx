import type { Document } from '@quire/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { Confirm } from '../../components/dialogs/confirm.tsx';
import { toast } from '../../components/states/toast.tsx';
import { documentsKey } from '../../data/documents.ts';
import { useWorkspace } from '../../data/workspace.ts';
import { useKeys } from '../../shell/keys.ts';

interface BulkActionsProps {
  collectionId: string;
  documents: readonly Document[];
  onDone: () => void;
}

/** Maximum number of documents of one request. */
const BATCH = 1_000;

const plural = (count: number): string => `${count} ${count === 1 ? 'document' : 'documents'}`;

/** Actions on the selected documents. */
export function BulkActions({ collectionId, documents, onDone }: BulkActionsProps): React.ReactElement {
  const { id: ws, quire } = useWorkspace();
  const cache = useQueryClient();
  const [isDeleting, setDeleting] = useState(false);
  const api = quire.collection(collectionId).documents;
  const failed = documents.filter(({ status }) => status === 'failed');
  const deleted = documents.filter(({ status }) => status === 'deleted');
  const present = documents.filter(({ status }) => status !== 'deleted');
  const done = (title: string): void => {
    toast.done(title);
    void cache.invalidateQueries({ queryKey: documentsKey(ws, collectionId) });
    onDone();
  };
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
    <div
      role="toolbar"
      aria-label="Selection"
      className="flex flex-wrap items-center gap-2 bg-accent-soft px-4 py-1.5 md:px-6"
    >
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
        <Button
          needs="write"
          onClick={() =>
            attempt(`Restored ${plural(deleted.length)}`, () => Promise.all(deleted.map(({ id }) => api.undelete(id))))
          }
        >
          Restore {deleted.length}
        </Button>
      )}
      {present.length > 0 && (
        <Button icon="trash" needs="write" onClick={() => setDeleting(true)}>
          Delete {present.length}
        </Button>
      )}
      <Button kind="quiet" onClick={onDone}>
        Clear the selection
      </Button>
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
