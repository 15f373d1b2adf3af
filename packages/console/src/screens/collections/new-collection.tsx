import type { Schemas } from '@quire/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { SelectField, TextField } from '../../components/forms/fields.tsx';
import { Form, type FormValues } from '../../components/forms/form.tsx';
import { toast } from '../../components/states/toast.tsx';
import { configurationChoices } from '../../data/configuration-choices.ts';
import { useWorkspace } from '../../data/workspace.ts';

const whole = (value: string | undefined): number | undefined =>
  // A text that is no number is sent as it is, so that the service names the fault.
  value === undefined ? undefined : /^-?\d+$/.test(value) ? Number(value) : (value as never);

function requestOf(values: FormValues): Schemas['CreateCollectionRequest'] {
  const maxTokens = whole(values('chunking.maxTokens'));
  const overlapTokens = whole(values('chunking.overlapTokens'));
  const chunking = {
    ...(maxTokens !== undefined && { maxTokens }),
    ...(overlapTokens !== undefined && { overlapTokens }),
  };
  const [description, embedderId, sparseEmbedderId, parserId] = [
    values('description'),
    values('embedderId'),
    values('sparseEmbedderId'),
    values('parserId'),
  ];
  return {
    name: values('name') ?? '',
    ...(description !== undefined && { description }),
    ...(embedderId !== undefined && { embedderId }),
    ...(sparseEmbedderId !== undefined && { sparseEmbedderId }),
    ...(parserId !== undefined && { parserId }),
    ...(Object.keys(chunking).length > 0 && { chunking }),
  };
}

export function NewCollection({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): React.ReactElement {
  const { id: ws, quire } = useWorkspace();
  const cache = useQueryClient();
  const navigate = useNavigate();
  /** Whether the fields were shown once; they keep their values when they are folded again. */
  const [isAdvanced, setAdvanced] = useState(false);
  const create = async (values: FormValues): Promise<void> => {
    const { id, name } = await quire.collections.create(requestOf(values));
    toast.done(`Created “${name}”`);
    void cache.invalidateQueries({ queryKey: [ws, 'collections'] });
    await navigate({ to: '/w/$ws/collections/$col', params: { ws, col: id }, replace: true });
  };
  return (
    <Dialog title="New collection" isOpen={isOpen} onClose={onClose}>
      <Form action="Create" needs="admin" onSubmit={create} onCancel={onClose}>
        <TextField name="name" label="Name" isRequired autoFocus />
        <TextField name="description" label="Description" />
        <details onToggle={(event) => event.currentTarget.open && setAdvanced(true)}>
          <summary className="font-medium">Advanced</summary>
          {isAdvanced && <Advanced />}
        </details>
      </Form>
    </Dialog>
  );
}

const DEFAULT = { value: '', label: 'The default of the workspace' };

function Advanced(): React.ReactElement {
  const { data } = useQuery(configurationChoices(useWorkspace()));
  return (
    <div className="mt-3 space-y-4 border-l-2 border-line pl-4">
      <SelectField name="embedderId" label="Dense embedder" options={[DEFAULT, ...(data?.dense ?? [])]} />
      <SelectField name="sparseEmbedderId" label="Sparse embedder" options={[DEFAULT, ...(data?.sparse ?? [])]} />
      <SelectField name="parserId" label="Parser" options={[DEFAULT, ...(data?.parsers ?? [])]} />
      <div className="grid grid-cols-2 items-end gap-4">
        <TextField name="chunking.maxTokens" label="Tokens a chunk" inputMode="numeric" placeholder="256" />
        <TextField name="chunking.overlapTokens" label="Overlap" inputMode="numeric" placeholder="0" />
      </div>
      <p className="text-sm text-muted">
        All of this can be changed later. A change that alters vectors builds a new index in the background; the old one
        serves meanwhile.
      </p>
    </div>
  );
}
