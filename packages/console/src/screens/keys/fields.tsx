/** Fields that the forms of keys and of tokens share. */
import { ChoicesField, SelectField } from '../../components/forms/fields.tsx';
import { collectionsList } from '../../data/collections.ts';
import { useList } from '../../data/list.ts';
import { useWorkspace } from '../../data/workspace.ts';

export const PERMISSIONS = [
  { value: 'read', label: 'read: search, ask, read documents' },
  { value: 'write', label: 'write: also upload, change, delete, process' },
  { value: 'admin', label: 'admin: also keys, webhooks, configurations, audit' },
] as const;

export type KeyPermission = (typeof PERMISSIONS)[number]['value'];

export const PermissionField = (): React.ReactElement => (
  <SelectField name="permission" label="Permission" isRequired options={PERMISSIONS} />
);

export function CollectionsField({ help }: { help: string }): React.ReactNode {
  const { rows } = useList(collectionsList(useWorkspace()));
  const options = rows.map(({ id, name }) => ({ value: id, label: name }));
  return options.length > 0 && <ChoicesField name="collectionIds" label="Collections" help={help} options={options} />;
}

/** Returns the chosen collections, or undefined for all. */
export function chosenCollections(form: FormData): string[] | undefined {
  const chosen = form.getAll('collectionIds').map(String);
  return chosen.length === 0 ? undefined : chosen;
}
