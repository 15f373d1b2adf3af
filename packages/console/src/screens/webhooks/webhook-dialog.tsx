/** Settings of one webhook: change, reactivate, replace the secret, delete. */
import { createWebhookSecret, type Webhook } from '@quire/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { Confirm } from '../../components/dialogs/confirm.tsx';
import { CopyText } from '../../components/controls/copy.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Form, type FormValues } from '../../components/forms/form.tsx';
import { toast } from '../../components/states/toast.tsx';
import { useWorkspace } from '../../data/workspace.ts';
import { chosenEvents, WebhookFields } from './fields.tsx';

export function WebhookDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }): React.ReactElement {
  const { id: ws, quire } = useWorkspace();
  const cache = useQueryClient();
  const [isDeleting, setDeleting] = useState(false);
  const [secret, setSecret] = useState<string>();
  const { id, name, status, disabledReason, secretHint } = webhook;
  const changed = (message: string): Promise<void> => {
    toast.done(message);
    return cache.invalidateQueries({ queryKey: [ws, 'webhooks'] });
  };
  const save = async (values: FormValues, form: FormData): Promise<void> => {
    const changes = { name: values('name') ?? '', url: values('url') ?? '', events: chosenEvents(form) };
    await quire.webhooks.update(id, changes);
    await changed(`Saved “${changes.name}”`);
    onClose();
  };
  const act = async (failure: string, action: () => Promise<void>): Promise<void> => {
    try {
      await action();
    } catch (error) {
      toast.failed(failure, error);
    }
  };
  const reactivate = async (): Promise<void> => {
    await quire.webhooks.update(id, { status: 'active' });
    await changed(`“${name}” is active again`);
  };
  const replaceSecret = async (): Promise<void> => {
    const signingSecret = createWebhookSecret();
    await quire.webhooks.update(id, { signingSecret });
    setSecret(signingSecret);
    await changed('Replaced the signing secret');
  };
  return (
    <Dialog title={name} isOpen onClose={onClose}>
      {status === 'disabled' && (
        <div className="mb-4 flex items-center gap-3 rounded-md bg-danger-soft px-3 py-2">
          <p className="flex-1">{disabledReason ?? 'This webhook is disabled.'}</p>
          <Button needs="admin" onClick={() => void act('It was not activated', reactivate)}>
            Activate
          </Button>
        </div>
      )}
      <Form action="Save" needs="admin" onSubmit={save} onCancel={onClose}>
        <WebhookFields webhook={webhook} />
        <div>
          <p className="font-medium">Signing secret</p>
          {secret === undefined ? (
            <p className="text-muted">
              ends with <code>{secretHint}</code>{' '}
              <Button kind="quiet" needs="admin" onClick={() => void act('It was not replaced', replaceSecret)}>
                Replace it
              </Button>
            </p>
          ) : (
            <p role="status" className="rounded-md bg-warn-soft px-3 py-2">
              Shown once: <CopyText text={secret} />
            </p>
          )}
        </div>
      </Form>
      <div className="mt-4 border-t border-line pt-3">
        <Button kind="danger" icon="trash" needs="admin" onClick={() => setDeleting(true)}>
          Delete
        </Button>
      </div>
      <Confirm
        title={`Delete “${name}”?`}
        action="Delete the webhook"
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onConfirm={async () => {
          await quire.webhooks.delete(id);
          onClose();
          await changed(`Deleted “${name}”`);
        }}
      >
        Its pending deliveries are cancelled. This cannot be undone.
      </Confirm>
    </Dialog>
  );
}
