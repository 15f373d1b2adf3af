import { useState } from 'react';
import { Button } from '../controls/button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorBox } from '../states/error-box.tsx';

interface ConfirmProps {
  title: string;
  /** Consequences of the action, in one or two sentences. */
  children: React.ReactNode;
  /** Text of the button that does it, such as “Delete 3 documents”. */
  action: string;
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => Promise<unknown>;
}

/** A dialog that is shown before something hard to undo. It shows the error if the action fails. */
export function Confirm({ title, children, action, isOpen, onClose, onConfirm }: ConfirmProps): React.ReactElement {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const close = (): void => {
    setError(undefined);
    setBusy(false);
    onClose();
  };
  const confirm = async (): Promise<void> => {
    setBusy(true);
    try {
      await onConfirm();
      close();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} isOpen={isOpen} onClose={close} width={28}>
      <div>{children}</div>
      {error !== undefined && <ErrorBox error={error} className="mt-4" />}
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={close}>Cancel</Button>
        <Button kind="danger" isBusy={isBusy} onClick={() => void confirm()}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
