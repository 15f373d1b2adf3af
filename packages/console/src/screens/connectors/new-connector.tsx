/** Creates a connector and tests it: what the source answers is shown before anything is imported. */
import type { ConnectorTest } from '@quire/client';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { ConfigFields, configOf } from '../../components/forms/config-fields.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { SelectField, TextField } from '../../components/forms/fields.tsx';
import { Form, type FormValues } from '../../components/forms/form.tsx';
import { toast } from '../../components/states/toast.tsx';
import { collectionsList } from '../../data/collections.ts';
import { useList } from '../../data/list.ts';
import { useWorkspace } from '../../data/workspace.ts';
import { SCHEDULES, SOURCES, type Source } from './sources.ts';

interface Created {
  id: string;
  test: ConnectorTest;
}

export function NewConnector({ onClose }: { onClose: () => void }): React.ReactElement {
  const [created, setCreated] = useState<Created>();
  const [sourceId, setSourceId] = useState(SOURCES[0]?.id);
  const source = SOURCES.find(({ id }) => id === sourceId);
  return (
    <Dialog
      title={created === undefined ? 'New connector' : 'What the source answers'}
      isOpen
      onClose={onClose}
      width={36}
    >
      {created !== undefined && <TestResult {...created} />}
      {created === undefined && (
        <>
          <label htmlFor="source" className="font-medium">
            Source
          </label>
          <select
            id="source"
            className="input mt-1 mb-4 w-full"
            value={sourceId}
            onChange={({ target }) => setSourceId(target.value)}
          >
            {SOURCES.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
          {source !== undefined && (
            <ConnectorForm key={source.id} source={source} onCreated={setCreated} onClose={onClose} />
          )}
        </>
      )}
    </Dialog>
  );
}

interface ConnectorFormProps {
  source: Source;
  onCreated: (created: Created) => void;
  onClose: () => void;
}

function ConnectorForm({ source, onCreated, onClose }: ConnectorFormProps): React.ReactElement {
  const workspace = useWorkspace();
  const { id: ws, quire } = workspace;
  const cache = useQueryClient();
  const { rows: collections } = useList(collectionsList(workspace));
  const create = async (values: FormValues): Promise<void> => {
    const schedule = values('schedule');
    const { id } = await quire.connectors.create({
      name: values('name') ?? '',
      collectionId: values('collectionId') ?? '',
      kind: source.kind,
      config: { ...source.fixed, ...configOf(source.fields, values) },
      ...(schedule !== undefined && { schedule }),
    });
    void cache.invalidateQueries({ queryKey: [ws, 'connectors'] });
    onCreated({ id, test: await quire.connectors.test(id) });
  };
  return (
    <Form action="Create and test" needs="admin" onSubmit={create} onCancel={onClose}>
      <TextField name="name" label="Name" isRequired />
      <SelectField
        name="collectionId"
        label="Collection"
        isRequired
        options={collections.map(({ id, name }) => ({ value: id, label: name }))}
        help={collections.length === 0 ? 'Create a collection first.' : undefined}
      />
      <ConfigFields fields={source.fields} />
      <SelectField name="schedule" label="Synchronise" isRequired options={SCHEDULES} />
    </Form>
  );
}

function TestResult({ id, test }: Created): React.ReactElement {
  const { id: ws, quire } = useWorkspace();
  const navigate = useNavigate();
  const open = (): Promise<void> => navigate({ to: '/w/$ws/connectors', params: { ws }, search: { id } });
  const start = async (dryRun: boolean): Promise<void> => {
    try {
      const { id: sync } = await quire.connectors.sync(id, { dryRun });
      await navigate({ to: '/w/$ws/connectors', params: { ws }, search: { id, sync } });
    } catch (error) {
      toast.failed('The synchronisation did not start', error);
    }
  };
  return (
    <div className="space-y-4">
      <p role="status" className={`rounded-md px-3 py-2 ${test.ok ? 'bg-ok-soft' : 'bg-danger-soft'}`}>
        {test.message}
      </p>
      {test.sample.length > 0 && (
        <ul className="space-y-0.5 font-mono text-sm">
          {test.sample.map((path) => (
            <li key={path}>{path}</li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={() => void open()}>{test.ok ? 'Later' : 'Open the connector'}</Button>
        {test.ok && <Button onClick={() => void start(true)}>List the changes only</Button>}
        {test.ok && (
          <Button kind="primary" onClick={() => void start(false)}>
            Import
          </Button>
        )}
      </div>
    </div>
  );
}
