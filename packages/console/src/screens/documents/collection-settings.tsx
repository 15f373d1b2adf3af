import type { Collection, Schemas } from '@quire/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { Confirm } from '../../components/dialogs/confirm.tsx';
import { CopyText } from '../../components/controls/copy.tsx';
import { SelectField, TextField } from '../../components/forms/fields.tsx';
import { Form, type FormValues } from '../../components/forms/form.tsx';
import { Progress } from '../../components/states/status.tsx';
import { toast } from '../../components/states/toast.tsx';
import { Skeleton } from '../../components/page.tsx';
import { configurationChoices } from '../../data/configuration-choices.ts';
import { useWorkspace } from '../../data/workspace.ts';

type Changes = Schemas['UpdateCollectionRequest'];

function changesOf(values: FormValues, before: Collection): Changes {
  const maxTokens = Number(values('chunking.maxTokens') ?? before.chunking.maxTokens);
  const overlapTokens = Number(values('chunking.overlapTokens') ?? before.chunking.overlapTokens);
  const { chunking } = before;
  return {
    name: values('name') ?? '',
    description: values('description') ?? null,
    ...(values('embedderId') !== before.embedderId && { embedderId: values('embedderId') ?? '' }),
    ...(values('sparseEmbedderId') !== before.sparseEmbedderId && {
      sparseEmbedderId: values('sparseEmbedderId') ?? '',
    }),
    ...(values('parserId') !== before.parserId && { parserId: values('parserId') ?? '' }),
    ...((maxTokens !== chunking.maxTokens || overlapTokens !== chunking.overlapTokens) && {
      chunking: { maxTokens, overlapTokens },
    }),
  };
}

export function CollectionSettings({ collection }: { collection: Collection }): React.ReactElement {
  const workspace = useWorkspace();
  const { id: ws, quire } = workspace;
  const cache = useQueryClient();
  const { data, isPending } = useQuery(configurationChoices(workspace));
  const refresh = (): void => {
    void cache.invalidateQueries({ queryKey: [ws, 'collection', collection.id] });
    void cache.invalidateQueries({ queryKey: [ws, 'collections'] });
  };
  const save = async (values: FormValues): Promise<void> => {
    await quire.collections.update(collection.id, changesOf(values, collection));
    toast.done('Saved');
    refresh();
  };
  // Fields that came later would take what was typed before.
  if (isPending) return <div className="p-6">{<Skeleton />}</div>;
  return (
    <div className="min-h-0 flex-1 overflow-auto">
      <div className="max-w-xl px-4 py-5 md:px-6">
        <Form key={collection.modifiedAt} action="Save" needs="admin" onSubmit={save}>
          <TextField name="name" label="Name" isRequired defaultValue={collection.name} />
          <TextField name="description" label="Description" defaultValue={collection.description ?? ''} />
          {data !== undefined && (
            <>
              <SelectField
                name="embedderId"
                label="Dense embedder"
                isRequired
                options={data.dense}
                defaultValue={collection.embedderId}
              />
              <SelectField
                name="sparseEmbedderId"
                label="Sparse embedder"
                isRequired
                options={data.sparse}
                defaultValue={collection.sparseEmbedderId}
              />
              <SelectField
                name="parserId"
                label="Parser"
                isRequired
                options={data.parsers}
                defaultValue={collection.parserId}
              />
            </>
          )}
          <div className="grid grid-cols-2 items-end gap-4">
            <TextField
              name="chunking.maxTokens"
              label="Tokens a chunk"
              inputMode="numeric"
              defaultValue={collection.chunking.maxTokens}
            />
            <TextField
              name="chunking.overlapTokens"
              label="Overlap"
              inputMode="numeric"
              defaultValue={collection.chunking.overlapTokens}
            />
          </div>
          <p className="text-sm text-muted">
            Another embedder or other chunks build a new index in the background. Searches use the old one until the new
            one is complete.
          </p>
        </Form>
        <Reindex collection={collection} onChange={refresh} />
        <DeleteCollection collection={collection} />
        <p className="mt-8 text-sm text-muted">
          Collection <CopyText text={collection.id} />
        </p>
      </div>
    </div>
  );
}

function Reindex({ collection, onChange }: { collection: Collection; onChange: () => void }): React.ReactElement {
  const { quire } = useWorkspace();
  const { reindex } = collection;
  const isRunning = reindex?.status === 'running';
  const call = async (): Promise<void> => {
    if (isRunning) await quire.collections.cancelReindex(collection.id);
    else await quire.collections.reindex(collection.id);
    onChange();
  };
  return (
    <section className="mt-8 border-t border-line pt-4">
      <h2 className="font-display text-lg">Index</h2>
      {isRunning && (
        <div className="my-2">
          <Progress value={reindex.progress} label="Progress of the re-index" />
        </div>
      )}
      {reindex !== null && !isRunning && <p className="text-muted">The last re-index: {reindex.status}.</p>}
      <Button
        className="mt-2"
        icon="retry"
        needs="admin"
        onClick={() => void call().catch((error: unknown) => toast.failed('It did not work', error))}
      >
        {isRunning ? 'Cancel the re-index' : 'Build the index again'}
      </Button>
    </section>
  );
}

function DeleteCollection({ collection }: { collection: Collection }): React.ReactElement {
  const { id: ws, quire } = useWorkspace();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const remove = async (): Promise<void> => {
    await quire.collections.delete(collection.id);
    await cache.invalidateQueries({ queryKey: [ws, 'collections'] });
    await navigate({ to: '/w/$ws/collections', params: { ws } });
    toast.done(`Deleted “${collection.name}”`, {
      label: 'Restore',
      run: () =>
        void quire.collections
          .undelete(collection.id)
          .then(() => cache.invalidateQueries({ queryKey: [ws, 'collections'] })),
    });
  };
  return (
    <section className="mt-8 border-t border-line pt-4">
      <h2 className="font-display text-lg">Delete</h2>
      <Button kind="danger" className="mt-2" icon="trash" needs="admin" onClick={() => setAsking(true)}>
        Delete this collection
      </Button>
      <Confirm
        title={`Delete “${collection.name}”?`}
        action="Delete"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={remove}
      >
        Its documents are no longer found, and its chats can no longer be continued. It can be restored.
      </Confirm>
    </section>
  );
}
