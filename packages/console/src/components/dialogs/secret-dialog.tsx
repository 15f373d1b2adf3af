/** A dialog whose form creates a secret. The secret is then shown once, in place of the form. */
import { useState } from 'react';
import { Button } from '../controls/button.tsx';
import { CopyButton } from '../controls/copy.tsx';
import { Dialog } from './dialog.tsx';

interface SecretDialogProps {
  /** Title above the form. */
  title: string;
  /** Title above the secret. */
  shownTitle: string;
  /** Name of the secret, such as “The key”. */
  label: string;
  /** Lifetime of the secret, in one or two sentences. */
  notice: string;
  isOpen: boolean;
  onClose: () => void;
  form: (show: (secret: string) => void, close: () => void) => React.ReactNode;
  /** Content below the secret, such as an example of its use. */
  after?: React.ReactNode;
}

export function SecretDialog(props: SecretDialogProps): React.ReactElement {
  const { title, shownTitle, label, notice, isOpen, onClose, form, after } = props;
  const [secret, setSecret] = useState<string>();
  const close = (): void => {
    setSecret(undefined);
    onClose();
  };
  return (
    <Dialog
      title={secret === undefined ? title : shownTitle}
      isOpen={isOpen}
      onClose={close}
      width={secret === undefined || after === undefined ? 32 : 40}
    >
      {secret === undefined ? (
        form(setSecret, close)
      ) : (
        <div className="space-y-4">
          <p role="status" className="rounded-md bg-warn-soft px-3 py-2">
            {notice}
          </p>
          <div className="flex items-start gap-2">
            <textarea
              readOnly
              aria-label={label}
              className="input w-full resize-none font-mono text-sm"
              rows={Math.min(6, Math.ceil(secret.length / 48))}
              value={secret}
              onFocus={(event) => event.currentTarget.select()}
            />
            <CopyButton text={secret} label={`Copy ${label.toLowerCase()}`} />
          </div>
          {after}
          <div className="flex justify-end">
            <Button kind="primary" onClick={close}>
              Done
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
