/** The folded settings of a new chat: model, instructions and filter. */
import { useQuery } from '@tanstack/react-query';
import { FaultText, faultProps, type Fault } from '../../components/forms/fault-text.tsx';
import { configurationChoices } from '../../data/configuration-choices.ts';
import { useWorkspace } from '../../data/workspace.ts';

/** The fields as they were typed; an empty one is not sent. */
export interface ChatSettings {
  modelId: string;
  instructions: string;
  /** JSON. */
  filter: string;
}

export const NO_SETTINGS: ChatSettings = { modelId: '', instructions: '', filter: '' };

interface ChatSettingsFieldsProps {
  settings: ChatSettings;
  /** Returns why the service refused a field. */
  fault: (field: string) => Fault;
  onChange: (settings: ChatSettings) => void;
}

export function ChatSettingsFields({ settings, fault, onChange }: ChatSettingsFieldsProps): React.ReactElement {
  const { data: configurations } = useQuery(configurationChoices(useWorkspace()));
  const isRefused = Object.keys(settings).some((field) => fault(field).fault !== undefined);
  /** Returns the properties that the controls share. */
  const control = (field: keyof ChatSettings) => ({
    name: field,
    value: settings[field],
    onChange: ({ target }: { target: { value: string } }): void => onChange({ ...settings, [field]: target.value }),
    ...faultProps(fault(field)),
  });
  return (
    <details open={isRefused || undefined}>
      <summary className="text-sm text-muted">Model, instructions, filter</summary>
      <div className="mt-2 space-y-3 border-l-2 border-line pl-4">
        <label className="block">
          Model
          <select {...control('modelId')} className="input mt-1 w-full">
            <option value="">The default of the workspace</option>
            {configurations?.models.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <FaultText {...fault('modelId')} />
        <label className="block">
          Instructions
          <textarea {...control('instructions')} className="input mt-1 w-full" rows={2} />
        </label>
        <FaultText {...fault('instructions')} />
        <label className="block">
          Filter as JSON
          <textarea
            {...control('filter')}
            className="input mt-1 w-full font-mono text-sm"
            rows={2}
            spellCheck={false}
            placeholder='{"metadata.year": 2026}'
          />
        </label>
        <FaultText {...fault('filter')} />
      </div>
    </details>
  );
}
