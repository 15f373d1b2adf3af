/** The changes that a run makes to its files, in order; or instructions to a language model that writes them. */
import { useState } from 'react';
import { Button, IconButton } from '../../components/controls/button.tsx';
import { TextAreaField, TextField } from '../../components/forms/fields.tsx';
import type { FormValues } from '../../components/forms/form.tsx';
import { OPERATIONS, type OperationField } from './edit-operations.ts';

interface Change {
  key: number;
  type: string;
}

const PREFIX = 'editConfig.operations.';
const INSTRUCTIONS = 'editConfig.instructions';

export function EditFields(): React.ReactElement {
  const [changes, setChanges] = useState<readonly Change[]>([{ key: 0, type: 'replaceText' }]);
  const add = (): void => setChanges([...changes, { key: (changes.at(-1)?.key ?? 0) + 1, type: 'replaceText' }]);
  return (
    <section aria-label="Changes" className="space-y-3 border-l-2 border-line pl-4">
      {changes.map(({ key, type }, index) => (
        <fieldset key={key} className="space-y-2">
          <legend className="sr-only">Change {index + 1}</legend>
          <div className="flex items-center gap-2">
            <select
              name={`${PREFIX}${index}.type`}
              aria-label={`Change ${index + 1}`}
              className="input flex-1"
              value={type}
              onChange={({ target }) =>
                setChanges(changes.map((each, at) => (at === index ? { ...each, type: target.value } : each)))
              }
            >
              {OPERATIONS.map((operation) => (
                <option key={operation.type} value={operation.type}>
                  {operation.label}
                </option>
              ))}
            </select>
            <IconButton
              icon="close"
              label={`Remove change ${index + 1}`}
              onClick={() => setChanges(changes.filter((_, at) => at !== index))}
            />
          </div>
          {OPERATIONS.find((operation) => operation.type === type)?.fields.map((field) => (
            <OperationInput key={`${type} ${field.name}`} place={`${PREFIX}${index}.`} field={field} />
          ))}
        </fieldset>
      ))}
      <Button kind="quiet" icon="plus" onClick={add}>
        Add a change
      </Button>
      {changes.length === 0 && (
        <TextAreaField
          name={INSTRUCTIONS}
          label="Instructions"
          isRequired
          help="Without changes in the list, a language model writes them from these instructions."
        />
      )}
    </section>
  );
}

function OperationInput({ place, field }: { place: string; field: OperationField }): React.ReactElement {
  const { name, label, kind, isRequired = false, placeholder, help } = field;
  const common = { name: `${place}${name}`, label, isRequired, placeholder, help };
  return kind === 'lines' || kind === 'json' ? <TextAreaField {...common} rows={2} /> : <TextField {...common} />;
}

/** Returns the block of the request that the form describes. */
export function editConfigOf(values: FormValues): object {
  const operations: object[] = [];
  for (let index = 0; values(`${PREFIX}${index}.type`) !== undefined; index += 1) {
    const type = values(`${PREFIX}${index}.type`);
    const fields = OPERATIONS.find((operation) => operation.type === type)?.fields ?? [];
    const entries = fields.flatMap(({ name, kind, isRequired = false }) => {
      const text = values(`${PREFIX}${index}.${name}`);
      if (text === undefined && !isRequired) return [];
      return [[name, valueOf(kind, text ?? '')]];
    });
    operations.push({ type, ...Object.fromEntries(entries) });
  }
  return operations.length > 0 ? { operations } : { instructions: values(INSTRUCTIONS) ?? '' };
}

/** A text that is no number and no JSON is sent as it is, so that the service names the fault. */
function valueOf(kind: OperationField['kind'], text: string): unknown {
  if (kind === 'lines') return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  if (kind === 'number') return text === '' || Number.isNaN(Number(text)) ? text : Number(text);
  if (kind !== 'json') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
