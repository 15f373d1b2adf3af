import { createWebhookSecret } from '@quire/client';
import { useQueryClient } from '@tanstack/react-query';
import { CopyButton } from '../../components/controls/copy.tsx';
import { Form, type FormValues } from '../../components/forms/form.tsx';
import { SecretDialog } from '../../components/dialogs/secret-dialog.tsx';
import { useWorkspace } from '../../data/workspace.ts';
import { chosenEvents, WebhookFields } from './fields.tsx';

export function NewWebhook({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): React.ReactElement {
  const { id: ws, quire } = useWorkspace();
  const cache = useQueryClient();
  const create = async (values: FormValues, form: FormData): Promise<string> => {
    const signingSecret = createWebhookSecret();
    await quire.webhooks.create({
      name: values('name') ?? '',
      url: values('url') ?? '',
      events: chosenEvents(form),
      signingSecret,
    });
    void cache.invalidateQueries({ queryKey: [ws, 'webhooks'] });
    return signingSecret;
  };
  return (
    <SecretDialog
      title="New webhook"
      shownTitle="Verify the messages"
      label="Signing secret"
      notice="This is the only time that the signing secret is shown."
      isOpen={isOpen}
      onClose={onClose}
      form={(show, close) => (
        <Form
          action="Create"
          needs="admin"
          onSubmit={async (values, form) => show(await create(values, form))}
          onCancel={close}
        >
          <WebhookFields />
          <p className="text-sm text-muted">The secret that signs the messages is generated and shown once.</p>
        </Form>
      )}
      after={<VerifySnippet />}
    />
  );
}

const SNIPPET = `import { verifyWebhook } from '@quire/client';

// The body as text, exactly as it arrived.
const event = await verifyWebhook(body, request.headers, process.env.QUIRE_WEBHOOK_SECRET);`;

const VerifySnippet = (): React.ReactElement => (
  <>
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
  </>
);
