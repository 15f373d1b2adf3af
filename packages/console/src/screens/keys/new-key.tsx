import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { Form, TextField, type FormValues } from '../../components/form.tsx';
import { useWorkspace } from '../../data/workspace.ts';
import { chosenCollections, CollectionsField, PermissionField, type KeyPermission } from './fields.tsx';
import { Secret } from './secret.tsx';

export function NewKey({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): React.ReactElement {
  const { id: ws, quire } = useWorkspace();
  const cache = useQueryClient();
  const [secret, setSecret] = useState<string>();
  const close = (): void => {
    setSecret(undefined);
    onClose();
  };
  const create = async (values: FormValues, form: FormData): Promise<void> => {
    const collectionIds = chosenCollections(form);
    const day = values('expiresAt');
    const { key } = await quire.keys.create({
      name: values('name') ?? '',
      permission: (values('permission') ?? 'read') as KeyPermission,
      ...(collectionIds !== undefined && { collectionIds }),
      // The end of that day where the browser is.
      ...(day !== undefined && { expiresAt: new Date(`${day}T23:59:59`).toISOString() }),
    });
    setSecret(key);
    void cache.invalidateQueries({ queryKey: [ws, 'keys'] });
  };
  return (
    <Dialog title={secret === undefined ? 'New key' : 'Copy the key now'} isOpen={isOpen} onClose={close}>
      {secret === undefined ? (
        <Form action="Create" needs="admin" onSubmit={create} onCancel={close}>
          <TextField name="name" label="Name" isRequired autoFocus help="The application or the person that uses it." />
          <PermissionField />
          <CollectionsField help="Without a choice the key reaches all collections, also later ones." />
          <TextField name="expiresAt" label="Last day" type="date" />
        </Form>
      ) : (
        <Secret label="The key" secret={secret} onClose={close}>
          This is the only time that the key is shown. The service stores no copy of it.
        </Secret>
      )}
    </Dialog>
  );
}
