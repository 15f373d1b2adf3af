/** Creates or changes a configuration. Its fields follow the provider, as the service describes them. */
import { ConflictError } from '@quire/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { ConfigFields, configOf } from '../../components/forms/config-fields.tsx';
import { Confirm } from '../../components/dialogs/confirm.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { ErrorBox } from '../../components/states/error-box.tsx';
import { SelectField, TextField } from '../../components/forms/fields.tsx';
import { Form, type FormValues } from '../../components/forms/form.tsx';
import { Skeleton } from '../../components/page.tsx';
import { toast } from '../../components/states/toast.tsx';
import { descriptionQuery, providersOf, type ConfigField, type Setting } from '../../data/config-fields.ts';
import { useWorkspace } from '../../data/workspace.ts';
import { callsOf, KINDS, providerName, type Configuration, type Kind } from './kinds.ts';

interface ConfigurationDialogProps {
  kind: Kind;
  /** The configuration to change; without one, a new one is created. */
  configuration?: Configuration;
  onClose: () => void;
}

export function ConfigurationDialog(props: ConfigurationDialogProps): React.ReactElement {
  const { kind, configuration, onClose } = props;
  const { one, request } = KINDS.find((each) => each.kind === kind) ?? KINDS[0];
  const { data, error, refetch } = useQuery(descriptionQuery(useWorkspace()));
  const providers = data === undefined ? [] : providersOf(data, request);
  const [chosen, setChosen] = useState<string>();
  const provider = configuration?.config.provider ?? chosen ?? providers[0]?.provider;
  const fields = providers.find((each) => each.provider === provider)?.fields;
  return (
    <Dialog title={configuration?.name ?? `New ${one}`} isOpen onClose={onClose} width={36}>
      {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {error === null && fields === undefined && <Skeleton />}
      {fields !== undefined && provider !== undefined && (
        <>
          {configuration === undefined && providers.length > 1 && (
            <div className="mb-4">
              <label htmlFor="provider" className="font-medium">
                Provider
              </label>
              <select
                id="provider"
                className="input mt-1 w-full"
                value={provider}
                onChange={({ target }) => setChosen(target.value)}
              >
                {providers.map((each) => (
                  <option key={each.provider} value={each.provider}>
                    {providerName(each.provider)}
                  </option>
                ))}
              </select>
            </div>
          )}
          <ConfigurationForm key={provider} {...props} provider={provider} fields={fields} />
        </>
      )}
    </Dialog>
  );
}

function ConfigurationForm({
  kind,
  configuration,
  provider,
  fields,
  onClose,
}: ConfigurationDialogProps & { provider: string; fields: readonly ConfigField[] }): React.ReactElement {
  const { id: ws, quire } = useWorkspace();
  const cache = useQueryClient();
  const calls = callsOf(quire, kind);
  const before: Readonly<Record<string, Setting>> = configuration === undefined ? {} : { ...configuration.config };
  const save = async (values: FormValues): Promise<void> => {
    const config = configOf(fields, values);
    const isDefault = values('isDefault') === 'true';
    const name = values('name') ?? '';
    if (configuration === undefined) {
      await calls.create({ name, config: { provider, ...config }, ...(isDefault && { isDefault }) });
    } else {
      // Settings that were emptied are removed; an empty secret stays as it is.
      const removed = fields.filter(
        (field) => field.kind !== 'secret' && field.name in before && !(field.name in config),
      );
      const changes = { ...config, ...Object.fromEntries(removed.map((field) => [field.name, null])) };
      await calls.update(configuration.id, { name, config: changes, ...(isDefault && { isDefault }) });
    }
    toast.done(`Saved “${name}”`);
    await cache.invalidateQueries({ queryKey: [ws, 'configurations'] });
    onClose();
  };
  const [main, more] = [fields.filter(isMain), fields.filter((field) => !isMain(field))];
  return (
    <>
      <Form action="Save" needs="admin" onSubmit={save} onCancel={onClose}>
        <TextField name="name" label="Name" isRequired autoFocus defaultValue={configuration?.name} />
        <ConfigFields fields={main} config={before} />
        {more.length > 0 && (
          <details>
            <summary className="font-medium">Limits and further settings</summary>
            <div className="mt-3 space-y-4 border-l-2 border-line pl-4">
              <ConfigFields fields={more} config={before} />
            </div>
          </details>
        )}
        {configuration?.isDefault !== true && (
          <SelectField
            name="isDefault"
            label="Use for new records"
            isRequired
            options={[
              { value: 'false', label: 'Only where it is chosen' },
              { value: 'true', label: 'As the default of the workspace' },
            ]}
          />
        )}
      </Form>
      {configuration !== undefined && <Deletion kind={kind} configuration={configuration} onClose={onClose} />}
    </>
  );
}

const isMain = ({ name, isRequired }: ConfigField): boolean =>
  isRequired || ['model', 'apiKey', 'baseUrl', 'ocr', 'languages', 'language'].includes(name);

function Deletion({
  kind,
  configuration: { id, name },
  onClose,
}: Required<ConfigurationDialogProps>): React.ReactElement {
  const { id: ws, quire } = useWorkspace();
  const cache = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  /** Whether the service refused because collections or chats use it. */
  const [isUsed, setUsed] = useState(false);
  const remove = async (): Promise<void> => {
    try {
      await callsOf(quire, kind).delete(id, { force: isUsed });
    } catch (error) {
      const detail = error instanceof ConflictError && error.type === 'in_use' ? error.detail[0] : undefined;
      // The default cannot be moved to the default: it stays until there is another one.
      if (detail?.ctx?.['isDefault'] === false) setUsed(true);
      throw error;
    }
    toast.done(`Deleted “${name}”`);
    onClose();
    await cache.invalidateQueries({ queryKey: [ws, 'configurations'] });
  };
  return (
    <div className="mt-4 border-t border-line pt-3">
      <Button kind="danger" icon="trash" needs="admin" onClick={() => setOpen(true)}>
        Delete
      </Button>
      <Confirm
        title={`Delete “${name}”?`}
        action={isUsed ? 'Move its users to the default, and delete' : 'Delete'}
        isOpen={isOpen}
        onClose={() => {
          setOpen(false);
          setUsed(false);
        }}
        onConfirm={remove}
      >
        A deleted configuration can be restored. One that is in use is not deleted unless you confirm it.
      </Confirm>
    </div>
  );
}
