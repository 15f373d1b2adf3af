/** Signs a scoped token in the browser with the key of the session; no request is sent. */
import { mintToken, QuireError, type Filter } from '@quire/client';
import { useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { Form, SelectField, TextAreaField, TextField, type FormValues } from '../../components/form.tsx';
import { useWorkspace } from '../../data/workspace.ts';
import { useSession } from '../../session/session.ts';
import { chosenCollections, CollectionsField, PermissionField, type KeyPermission } from './fields.tsx';
import { Secret } from './secret.tsx';

const LIFETIMES = [
  { value: '900', label: '15 minutes' },
  { value: '3600', label: 'One hour' },
  { value: '28800', label: 'Eight hours' },
  { value: '86400', label: 'One day' },
];

/** Returns the filter of the form; throws an error of its field when the text is no JSON object. */
function readFilter(text: string | undefined): Filter | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Filter;
  } catch {
    // Reported below with the same words as a value that is no object.
  }
  throw new FilterError();
}

/** The error of the field `filter`, in the form of the service's errors. */
class FilterError extends QuireError {
  constructor() {
    const msg = 'Not a JSON object such as {"metadata.team": "sales"}';
    super(msg, { type: 'json_invalid', detail: [{ type: 'json_invalid', loc: ['body', 'filter'], msg }] });
  }
}

export function NewToken({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): React.ReactElement {
  const { principal } = useWorkspace();
  const { session } = useSession();
  const [token, setToken] = useState<string>();
  const close = (): void => {
    setToken(undefined);
    onClose();
  };
  const sign = async (values: FormValues, form: FormData): Promise<void> => {
    const collectionIds = chosenCollections(form);
    const filter = readFilter(values('filter'));
    const subject = values('subject');
    setToken(
      await mintToken({
        keyId: principal.keyId,
        key: session?.key ?? '',
        permission: (values('permission') ?? 'read') as KeyPermission,
        expiresInSeconds: Number(values('lifetime')),
        ...(subject !== undefined && { subject }),
        ...(collectionIds !== undefined && { collectionIds }),
        ...(filter !== undefined && { filter }),
      }),
    );
  };
  return (
    <Dialog title={token === undefined ? 'New token' : 'Copy the token now'} isOpen={isOpen} onClose={close}>
      {token === undefined ? (
        <Form action="Sign the token" onSubmit={sign} onCancel={close}>
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
          <TextField name="subject" label="User" help="Shown in the audit log." autoFocus />
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
      ) : (
        <Secret label="The token" secret={token} onClose={close}>
          The service knows nothing of the token until it is used. It ends with its lifetime, or with its key.
        </Secret>
      )}
    </Dialog>
  );
}
