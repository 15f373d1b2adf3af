/** The schema of an extraction: from a template or a sample file, as a tree of fields or as JSON. */
import { QuireError } from '@quire/client';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button, IconButton } from '../../components/controls/button.tsx';
import { ErrorBox } from '../../components/states/error-box.tsx';
import { FileButton } from '../../components/forms/file-field.tsx';
import { TextAreaField, useFieldError } from '../../components/forms/fields.tsx';
import { useWorkspace, type WorkspaceContext } from '../../data/workspace.ts';
import { proposeFields } from './propose-fields.ts';
import { TEMPLATES } from './schema-templates.ts';
import { fieldsOf, newField, schemaOf, type FieldType, type SchemaField } from './schema-tree.ts';

export const SCHEMA_FIELD = 'extractionConfig.jsonSchema';

const written = (schema: unknown): string => JSON.stringify(schema, null, 2);

/** Returns the fields of a text; undefined if it is no JSON, or a schema that the tree cannot hold. */
function parsed(text: string): SchemaField[] | undefined {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function SchemaBuilder(): React.ReactElement {
  const [template, setTemplate] = useState('Invoice');
  const [text, setText] = useState(() => written(TEMPLATES['Invoice']));
  const [fields, setFields] = useState<readonly SchemaField[] | undefined>(() => parsed(text));
  const [isOpen, setOpen] = useState(false);
  // A fault of the schema is shown at its text.
  const isText = useFieldError(SCHEMA_FIELD) !== undefined || isOpen;
  const change = (next: readonly SchemaField[]): void => {
    setFields(next);
    setText(written(schemaOf(next)));
  };
  const choose = (name: string): void => {
    setTemplate(name);
    change(fieldsOf(TEMPLATES[name]) ?? []);
  };
  return (
    <section aria-label="Values" className="space-y-3 border-l-2 border-line pl-4">
      <div className="flex flex-wrap items-center gap-2">
        <label className="flex items-center gap-2">
          Template
          <select className="input" value={template} onChange={({ target }) => choose(target.value)}>
            {Object.keys(TEMPLATES).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <Sample onPropose={change} />
        <Button
          className="ml-auto"
          aria-pressed={isText}
          onClick={() => {
            if (isText) setFields(parsed(text));
            setOpen(!isText);
          }}
        >
          {isText ? 'As fields' : 'As JSON'}
        </Button>
      </div>
      <div hidden={!isText}>
        <TextAreaField
          name={SCHEMA_FIELD}
          label="JSON Schema of the values"
          isRequired
          spellCheck={false}
          rows={14}
          style={{ fontFamily: 'var(--font-mono)' }}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </div>
      {!isText && fields !== undefined && <FieldTree fields={fields} onChange={change} label="Fields" />}
      {!isText && fields === undefined && (
        <p className="rounded-md bg-warn-soft px-3 py-2">
          This schema has parts that the list of fields does not show. Edit it as JSON.
        </p>
      )}
    </section>
  );
}

interface FieldTreeProps {
  label: string;
  fields: readonly SchemaField[];
  onChange: (fields: readonly SchemaField[]) => void;
}

function FieldTree({ label, fields, onChange }: FieldTreeProps): React.ReactElement {
  const list = useRef<HTMLUListElement>(null);
  const add = (): void => {
    // The row is drawn at once, so that keys typed after the click reach it.
    flushSync(() => onChange([...fields, newField()]));
    list.current?.querySelector<HTMLElement>(':scope > li:last-child input')?.focus();
  };
  return (
    <div>
      <ul ref={list} aria-label={label} className="space-y-1.5">
        {fields.map((field, index) => (
          <FieldRow
            key={field.key}
            field={field}
            onChange={(next) => onChange(fields.map((each, at) => (at === index ? next : each)))}
            onRemove={() => onChange(fields.filter((_, at) => at !== index))}
          />
        ))}
      </ul>
      <Button kind="quiet" icon="plus" onClick={add}>
        Add a field
      </Button>
    </div>
  );
}

const TYPE_NAMES: readonly { value: FieldType; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'date', label: 'Date' },
  { value: 'number', label: 'Number' },
  { value: 'integer', label: 'Whole number' },
  { value: 'boolean', label: 'Yes or no' },
  { value: 'group', label: 'Group' },
];

interface FieldRowProps {
  field: SchemaField;
  onChange: (field: SchemaField) => void;
  onRemove: () => void;
}

function FieldRow({ field, onChange, onRemove }: FieldRowProps): React.ReactElement {
  const { name, type, isList, description, children } = field;
  const named = name === '' ? 'new field' : name;
  return (
    <li className="space-y-1.5">
      <div className="flex flex-wrap items-center gap-1.5">
        <input
          className="input w-40 font-mono text-sm"
          aria-label="Name of the field"
          placeholder="name"
          value={name}
          onChange={({ target }) => onChange({ ...field, name: target.value.trim() })}
        />
        <select
          className="input"
          aria-label={`Type of ${named}`}
          value={type}
          onChange={({ target }) => onChange({ ...field, type: target.value as FieldType })}
        >
          {TYPE_NAMES.map((each) => (
            <option key={each.value} value={each.value}>
              {each.label}
            </option>
          ))}
        </select>
        <label className="flex items-center gap-1">
          <input
            type="checkbox"
            checked={isList}
            onChange={({ target }) => onChange({ ...field, isList: target.checked })}
          />
          list
        </label>
        <input
          className="input min-w-32 flex-1 text-sm"
          aria-label={`Description of ${named}`}
          placeholder="description for the extraction"
          value={description}
          onChange={({ target }) => onChange({ ...field, description: target.value })}
        />
        <IconButton icon="close" label={`Remove ${named}`} onClick={onRemove} />
      </div>
      {type === 'group' && (
        <div className="ml-4 border-l border-line pl-3">
          <FieldTree
            label={`Fields of ${named}`}
            fields={children}
            onChange={(next) => onChange({ ...field, children: next })}
          />
        </div>
      )}
    </li>
  );
}

/** Returns the text of a sample as the service reads it. The run is deleted at once. */
async function readSample({ quire }: WorkspaceContext, file: File): Promise<string> {
  const { id } = await quire.runs.create([file], { parserConfig: { formats: ['markdown'] } });
  try {
    const { outcome } = await quire.runs.ready(id);
    const markdown = outcome?.files[0]?.parse?.markdown;
    if (markdown === undefined) return '';
    if (typeof markdown.content === 'string') return markdown.content;
    return await (await quire.runs.output(id, markdown.path)).text();
  } finally {
    await quire.runs.delete(id);
  }
}

function Sample({ onPropose }: { onPropose: (fields: readonly SchemaField[]) => void }): React.ReactElement {
  const workspace = useWorkspace();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const propose = async (file: File): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const fields = proposeFields(await readSample(workspace, file));
      if (fields.length === 0)
        throw new QuireError(`No labels with values were found in “${file.name}”`, { type: 'no_text' });
      onPropose(fields);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <FileButton label="Sample file" needs="write" isBusy={isBusy} onFile={(file) => void propose(file)}>
        Propose from a sample
      </FileButton>
      {error !== undefined && <ErrorBox error={error} className="w-full" />}
    </>
  );
}
