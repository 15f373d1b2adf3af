/** A popup over the page that keeps the focus and returns it when it closes: the base of dialogs and palette. */
import { Dialog } from '@base-ui/react/dialog';

interface ModalProps {
  isOpen: boolean;
  onClose: () => void;
  /** Name for assistive technology; without it the content has a `ModalTitle`. */
  label?: string;
  /** Element that gets the focus when the popup opens. */
  initialFocus: React.RefObject<HTMLElement | null> | (() => HTMLElement | null);
  popup?: React.RefObject<HTMLDivElement | null>;
  className: string;
  style?: React.CSSProperties;
  children: React.ReactNode;
}

export const ModalTitle = Dialog.Title;

export const Modal = (props: ModalProps): React.ReactElement => {
  const { isOpen, onClose, label, popup, className, children, ...rest } = props;
  // Nothing behind the backdrop scrolls; locking it would cost a layout of the whole page.
  return (
    <Dialog.Root modal="trap-focus" open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup
          ref={popup}
          aria-label={label}
          {...rest}
          className={`popup fixed left-1/2 z-40 max-w-[94vw] -translate-x-1/2 ${className}`}
        >
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
};
