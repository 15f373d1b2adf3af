import { useRef } from 'react';
import { Button } from '../controls/button.tsx';
import { Modal, ModalTitle } from './modal.tsx';

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** Width in rem; 32 by default. */
  width?: number;
  children: React.ReactNode;
}

const FIELDS = 'input:not([hidden], [type=hidden]), textarea, select';

/** A modal dialog. Its first field has the focus. Escape closes it, and the focus returns to where it was. */
export function Dialog({ title, isOpen, onClose, width = 32, children }: DialogProps): React.ReactElement {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Modal
      isOpen={isOpen}
      onClose={onClose}
      popup={popup}
      // The button that closes it would be the first.
      initialFocus={() => popup.current?.querySelector<HTMLElement>(FIELDS) ?? popup.current}
      className="top-[8dvh] max-h-[calc(84dvh-var(--toasts))] overflow-auto p-5"
      style={{ width: `${width}rem` }}
    >
      <div className="mb-4 flex items-start justify-between gap-4">
        <ModalTitle className="font-display text-xl">{title}</ModalTitle>
        <Button kind="quiet" icon="close" aria-label="Close" onClick={onClose} className="-mt-1 -mr-2 px-1.5" />
      </div>
      {children}
    </Modal>
  );
}
