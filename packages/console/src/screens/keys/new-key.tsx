import { useQueryClient } from '@tanstack/react-query';
import { TextField } from '../../components/forms/fields.tsx';
import { Form, type FormValues } from '../../components/forms/form.tsx';
import { SecretDialog } from '../../components/dialogs/secret-dialog.tsx';
import { useWorkspace } from '../../data/workspace.ts';
import { chosenCollections, CollectionsField, PermissionField, type KeyPermission } from './fields.tsx';

export function NewKey({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): React.ReactElement {
  const { id: ws, quire } = useWorkspace();
  const cache = useQueryClient();
  const create = async (values: FormValues, form: FormData): Promise<string> => {
    const collectionIds = chosenCollections(form);
    const day = values('expiresAt');
    const { key } = await quire.keys.create({
      name: values('name') ?? '',
      permission: (values('permission') ?? 'read') as KeyPermission,
      ...(collectionIds !== undefined && { collectionIds }),
      // The end of that day where the browser is.
      ...(day !== undefined && { expiresAt: new Date(`${day}T23:59:59`).toISOString() }),
    });
    void cache.invalidateQueries({ queryKey: [ws, 'keys'] });
    return key;
  };
  return (
    <SecretDialog
      title="New key"
      shownTitle="Copy the key now"
      label="The key"
      notice="This is the only time that the key is shown. The service stores no copy of it."
      isOpen={isOpen}
      onClose={onClose}
      form={(show, close) => (
        <Form
          action="Create"
          needs="admin"
          onSubmit={async (values, form) => show(await create(values, form))}
          onCancel={close}
        >
          <TextField name="name" label="Name" isRequired autoFocus help="The application or the person that uses it." />
          <PermissionField />
          <CollectionsField help="Without a choice the key reaches all collections, also later ones." />
          <TextField name="expiresAt" label="Last day" type="date" />
        </Form>
      )}
    />
  );
}
