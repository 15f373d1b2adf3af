import { createWebhookSecret } from '@quire/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, type FormValues } from '../../components/form.tsx';
import { useWorkspace } from '../../data/workspace.ts';
import { chosenEvents, WebhookFields } from './fields.tsx';

export function NewWebhook({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): React.ReactElement {
  const { id: ws, quire } = useWorkspace();
  const cache = useQueryClient();
  const [secret, setSecret] = useState<string>();
  const close = (): void => {
    setSecret(undefined);
    onClose();
  };
  const create = async (values: FormValues, form: FormData): Promise<void> => {
    const signingSecret = createWebhookSecret();
    await quire.webhooks.create({
      name: values('name') ?? '',
      url: values('url') ?? '',
      events: chosenEvents(form),
      signingSecret,
    });
    setSecret(signingSecret);
    void cache.invalidateQueries({ queryKey: [ws, 'webhooks'] });
  };
  return (
    <Dialog
      title={secret === undefined ? 'New webhook' : 'Verify the messages'}
      isOpen={isOpen}
      onClose={close}
      width={secret === undefined ? 32 : 40}
    >
      {secret === undefined ? (
        <Form action="Create" needs="admin" onSubmit={create} onCancel={close}>
          <WebhookFields />
          <p className="text-sm text-muted">The secret that signs the messages is generated and shown once.</p>
        </Form>
      ) : (
        <VerifySnippet secret={secret} onClose={close} />
      )}
    </Dialog>
  );
}

const SNIPPET = `import { verifyWebhook } from '@quire/client';

// The body as text, exactly as it arrived.
const event = await verifyWebhook(body, request.headers, process.env.QUIRE_WEBHOOK_SECRET);`;

const VerifySnippet = ({ secret, onClose }: { secret: string; onClose: () => void }): React.ReactElement => (
  <div className="space-y-4">
    <p role="status" className="rounded-md bg-warn-soft px-3 py-2">
      This is the only time that the signing secret is shown.
    </p>
    <div className="flex items-center gap-2">
      <input readOnly aria-label="Signing secret" className="input w-full font-mono text-sm" value={secret} />
      <CopyButton text={secret} label="Copy the secret" />
    </div>
    <p>
      Your application checks the signature of each message, with this function or with any library for Standard
      Webhooks:
    </p>
    <div className="relative">
      <pre className="overflow-auto rounded-md bg-sunken p-3 pr-10 font-mono text-sm whitespace-pre-wrap">
        {SNIPPET}
      </pre>
      <span className="absolute top-1 right-1">
        <CopyButton text={SNIPPET} />
      </span>
    </div>
    <div className="flex justify-end">
      <Button kind="primary" onClick={onClose}>
        Done
      </Button>
    </div>
  </div>
);
