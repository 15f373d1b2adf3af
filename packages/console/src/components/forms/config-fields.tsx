/** Form fields of a provider's settings, and the settings that a form holds. */
import { textOf, type ConfigField, type Setting } from '../../data/config-fields.ts';
import { SelectField, TextAreaField, TextField } from './fields.tsx';
import type { FormValues } from './form.tsx';

interface ConfigFieldsProps {
  fields: readonly ConfigField[];
  /** Present settings; a secret is masked and stays if its field stays empty. */
  config?: Readonly<Record<string, Setting>>;
}

const PREFIX = 'config.';
const CHOICE_FLAG = ['true', 'false'];

export const ConfigFields = ({ fields, config = {} }: ConfigFieldsProps): React.ReactElement[] =>
  fields.map((field) => <ConfigInput key={field.name} field={field} value={config[field.name]} />);

function ConfigInput({ field, value }: { field: ConfigField; value: Setting }): React.ReactElement {
  const { name, label, kind, isRequired, help, placeholder, choices } = field;
  const common = { name: `${PREFIX}${name}`, label, help, isRequired };
  if (kind === 'choice' || kind === 'flag') {
    const values = kind === 'flag' ? CHOICE_FLAG : choices;
    const options = [
      { value: '', label: 'Default' },
      ...values.map((each) => ({ value: each, label: kind === 'flag' ? (each === 'true' ? 'Yes' : 'No') : each })),
    ];
    return <SelectField {...common} options={options} defaultValue={textOf(value)} />;
  }
  if (kind === 'json')
    return (
      <TextAreaField
        {...common}
        rows={5}
        spellCheck={false}
        placeholder={placeholder}
        style={{ fontFamily: 'var(--font-mono)' }}
      />
    );
  if (kind === 'secret')
    return (
      <TextField
        {...common}
        isRequired={isRequired && value === undefined}
        type="password"
        autoComplete="new-password"
        placeholder={typeof value === 'string' ? `${value} (unchanged)` : undefined}
      />
    );
  return (
    <TextField
      {...common}
      defaultValue={textOf(value)}
      placeholder={placeholder}
      type={kind === 'url' ? 'url' : 'text'}
      inputMode={kind === 'number' ? 'decimal' : undefined}
    />
  );
}

/** Returns the settings of the form without empty fields. A text that is no number is sent as it is. */
export function configOf(fields: readonly ConfigField[], values: FormValues): Record<string, unknown> {
  const config: Record<string, unknown> = {};
  for (const { name, kind } of fields) {
    const text = values(`${PREFIX}${name}`);
    if (text !== undefined) config[name] = valueOf(kind, text);
  }
  return config;
}

function valueOf(kind: ConfigField['kind'], text: string): unknown {
  if (kind === 'flag') return text === 'true';
  if (kind === 'list') return text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
  if (kind === 'json') return objectOf(text);
  if (kind !== 'number') return text;
  const number = Number(text);
  // The service names the fault of a text that is no number.
  return Number.isNaN(number) ? text : number;
}

/** Returns the value of a JSON text; the service names the fault of a text that is none. */
function objectOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
