/** Chooses files and modules, and starts the run. */
import { QuireError, type Schemas } from '@quire/client';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { Field, Form, SelectField, TextAreaField, type FormValues } from '../../components/form.tsx';
import { useWorkspace } from '../../data/workspace.ts';
import { TEMPLATES } from './schema-templates.ts';

const MODULES = [
  { id: 'extraction', label: 'Extract values' },
  { id: 'summary', label: 'Summarise' },
  { id: 'classification', label: 'Classify' },
] as const;

type Module = (typeof MODULES)[number]['id'];

const LENGTHS = [
  { value: 'short', label: 'Short' },
  { value: 'medium', label: 'Medium' },
  { value: 'long', label: 'Long' },
] as const;

const JSON_MESSAGE = 'Not a JSON object';

/** Returns a JSON object; throws the error of a field in the form of the service's errors. */
function readObject(text: string, ...place: string[]): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Reported below with the same words as a value that is no object.
  }
  const detail = [{ type: 'json_invalid', loc: ['body', ...place], msg: JSON_MESSAGE }];
  throw new QuireError(JSON_MESSAGE, { type: 'json_invalid', detail });
}

function blocksOf(modules: ReadonlySet<Module>, values: FormValues): Schemas['RunBlocks'] {
  const labels = (values('classificationConfig.taxonomy') ?? '').split('\n').flatMap((line) => line.trim() || []);
  return {
    parserConfig: { formats: ['markdown'] },
    ...(modules.has('extraction') && {
      extractionConfig: {
        jsonSchema: readObject(values('extractionConfig.jsonSchema') ?? '', 'extractionConfig', 'jsonSchema'),
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
    <Dialog title="New run" isOpen onClose={onClose} width={38}>
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
        {modules.has('extraction') && <SchemaField />}
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

function SchemaField(): React.ReactElement {
  const [template, setTemplate] = useState('Invoice');
  return (
    <div className="space-y-2">
      <label className="flex items-center gap-2">
        Template
        <select className="input" value={template} onChange={({ target }) => setTemplate(target.value)}>
          {Object.keys(TEMPLATES).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <TextAreaField
        key={template}
        name="extractionConfig.jsonSchema"
        label="JSON Schema of the values"
        isRequired
        spellCheck={false}
        rows={12}
        style={{ fontFamily: 'var(--font-mono)' }}
        defaultValue={JSON.stringify(TEMPLATES[template], null, 2)}
      />
    </div>
  );
}
