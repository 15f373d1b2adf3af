import { Dialog as Base } from '@base-ui/react/dialog';
import { useRef } from 'react';
import { IconButton } from '../controls/button.tsx';

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
  // Nothing behind the backdrop scrolls; locking it would cost a layout of the whole page.
  return (
    <Base.Root modal="trap-focus" open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup
          ref={popup}
          // The button that closes it would be the first, and would show its tip.
          initialFocus={() => popup.current?.querySelector<HTMLElement>(FIELDS) ?? popup.current}
          className="popup fixed top-[8dvh] left-1/2 z-40 max-h-[84dvh] max-w-[94vw] -translate-x-1/2 overflow-auto p-5"
          style={{ width: `${width}rem` }}
        >
          <div className="mb-4 flex items-start justify-between gap-4">
            <Base.Title className="font-display text-xl">{title}</Base.Title>
            <IconButton icon="close" label="Close" onClick={onClose} className="-mt-1 -mr-2" />
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
