/** Signs a scoped token in the browser with the key of the session; no request is sent. */
import { mintToken, type Filter } from '@quire/client';
import { SelectField, TextAreaField, TextField } from '../../components/forms/fields.tsx';
import { Form, type FormValues } from '../../components/forms/form.tsx';
import { SecretDialog } from '../../components/dialogs/secret-dialog.tsx';
import { readJsonObject } from '../../data/json-object.ts';
import { useWorkspace } from '../../data/workspace.ts';
import { useSession } from '../../session/session.ts';
import { chosenCollections, CollectionsField, PermissionField, type KeyPermission } from './fields.tsx';

const LIFETIMES = [
  { value: '900', label: '15 minutes' },
  { value: '3600', label: 'One hour' },
  { value: '28800', label: 'Eight hours' },
  { value: '86400', label: 'One day' },
];

export function NewToken({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): React.ReactElement {
  const { principal } = useWorkspace();
  const { session } = useSession();
  const sign = (values: FormValues, form: FormData): Promise<string> => {
    const collectionIds = chosenCollections(form);
    const filter = values('filter');
    const subject = values('subject');
    return mintToken({
      keyId: principal.keyId,
      key: session?.key ?? '',
      permission: (values('permission') ?? 'read') as KeyPermission,
      expiresInSeconds: Number(values('lifetime')),
      ...(subject !== undefined && { subject }),
      ...(collectionIds !== undefined && { collectionIds }),
      ...(filter !== undefined && { filter: readJsonObject(filter, 'filter') as Filter }),
    });
  };
  return (
    <SecretDialog
      title="New token"
      shownTitle="Copy the token now"
      label="The token"
      notice="The service knows nothing of the token until it is used. It ends with its lifetime, or with its key."
      isOpen={isOpen}
      onClose={onClose}
      form={(show, close) => (
        <Form
          action="Sign the token"
          onSubmit={async (values, form) => show(await sign(values, form))}
          onCancel={close}
        >
          {!isSecureContext && (
            <p role="alert" className="rounded-md bg-warn-soft px-3 py-2">
              Browsers sign only on pages over HTTPS, or of this machine. Open the console there, or use{' '}
              <code>mintToken</code> of the client.
            </p>
          )}
          <p className="text-muted">
            Your browser signs it with the key that you are signed in with. Applications do the same with{' '}
            <code>mintToken</code> of the client.
          </p>
          <TextField name="subject" label="User" help="Sees only its own chats; shown in the audit log." autoFocus />
          <PermissionField />
          <CollectionsField help="Without a choice the token reaches the collections of its key." />
          <TextAreaField
            name="filter"
            label="Filter"
            spellCheck={false}
            placeholder='{"metadata.team": "sales"}'
            help="Joined to every search, chat, list and read of the token."
          />
          <SelectField name="lifetime" label="Lifetime" isRequired options={LIFETIMES} defaultValue="3600" />
        </Form>
      )}
    />
  );
}
