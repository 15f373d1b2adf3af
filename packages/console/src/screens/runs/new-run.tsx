/** Chooses files and modules, and starts the run. */
import type { Schemas } from '@quire/client';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Field, SelectField, TextAreaField } from '../../components/forms/fields.tsx';
import { Form, type FormValues } from '../../components/forms/form.tsx';
import { readJsonObject } from '../../data/json-object.ts';
import { useWorkspace } from '../../data/workspace.ts';
import { EditFields, editConfigOf } from './edit-fields.tsx';
import { SCHEMA_FIELD, SchemaBuilder } from './schema-builder.tsx';

const MODULES = [
  { id: 'extraction', label: 'Extract values' },
  { id: 'summary', label: 'Summarise' },
  { id: 'classification', label: 'Classify' },
  { id: 'edit', label: 'Change the files' },
] as const;

type Module = (typeof MODULES)[number]['id'];

const LENGTHS = [
  { value: 'short', label: 'Short' },
  { value: 'medium', label: 'Medium' },
  { value: 'long', label: 'Long' },
] as const;

function blocksOf(modules: ReadonlySet<Module>, values: FormValues): Schemas['RunBlocks'] {
  const labels = (values('classificationConfig.taxonomy') ?? '').split('\n').flatMap((line) => line.trim() || []);
  return {
    parserConfig: { formats: ['markdown'] },
    ...(modules.has('extraction') && {
      extractionConfig: {
        jsonSchema: readJsonObject(values(SCHEMA_FIELD), ...SCHEMA_FIELD.split('.')),
      },
    }),
    ...(modules.has('summary') && {
      summaryConfig: {
        length: LENGTHS.find(({ value }) => value === values('summaryConfig.length'))?.value ?? 'short',
      },
    }),
    ...(modules.has('classification') && {
      classificationConfig: { taxonomy: labels.map((label) => ({ id: label, label })) },
    }),
    ...(modules.has('edit') && { editConfig: editConfigOf(values) }),
  };
}

export function NewRun({ onClose }: { onClose: () => void }): React.ReactElement {
  const { id: ws, quire } = useWorkspace();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [modules, setModules] = useState<ReadonlySet<Module>>(new Set());
  const create = async (values: FormValues, form: FormData): Promise<void> => {
    const files = form.getAll('files').filter((file) => file instanceof File && file.name !== '') as File[];
    const { id } = await quire.runs.create(files, blocksOf(modules, values));
    void cache.invalidateQueries({ queryKey: [ws, 'runs'] });
    await navigate({ to: '/w/$ws/runs', params: { ws }, search: { id }, replace: true });
  };
  const toggle = (module: Module): void => {
    const next = new Set(modules);
    if (!next.delete(module)) next.add(module);
    setModules(next);
  };
  return (
    <Dialog title="New run" isOpen onClose={onClose} width={44}>
      <Form action="Start" needs="write" onSubmit={create} onCancel={onClose}>
        <Field name="files" label="Files" isRequired>
          {(control) => <input {...control} type="file" multiple className="input w-full" />}
        </Field>
        <fieldset>
          <legend className="font-medium">What to do</legend>
          <p className="text-sm text-muted">The text of each file is always read.</p>
          <div className="mt-1 flex flex-wrap gap-4">
            {MODULES.map(({ id, label }) => (
              <label key={id} className="flex items-center gap-2">
                <input type="checkbox" checked={modules.has(id)} onChange={() => toggle(id)} />
                {label}
              </label>
            ))}
          </div>
        </fieldset>
        {modules.has('extraction') && <SchemaBuilder />}
        {modules.has('edit') && <EditFields />}
        {modules.has('summary') && (
          <SelectField name="summaryConfig.length" label="Length of the summary" isRequired options={LENGTHS} />
        )}
        {modules.has('classification') && (
          <TextAreaField
            name="classificationConfig.taxonomy"
            label="Labels"
            isRequired
            help="One per line."
            placeholder={'Invoice\nContract\nLetter'}
          />
        )}
      </Form>
    </Dialog>
  );
}
