/**
 * A popup over the page that keeps the focus and returns it when it closes: the base of dialogs and palette. It is
 * drawn once and measures nothing, so that it opens within one frame on slow machines.
 */
import { createContext, useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

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

const TitleId = createContext<string | undefined>(undefined);

export const ModalTitle = (props: React.ComponentProps<'h2'>): React.ReactElement => (
  <h2 {...props} id={useContext(TitleId)} />
);

/** Open popups with their surroundings; the last one is in front. */
let layers: readonly HTMLElement[] = [];

/** Hides all but the front popup from assistive technology. Messages stay, because they are beside the page. */
function hideOthers(): void {
  const page = document.getElementById('root');
  for (const each of page === null ? layers : [page, ...layers]) {
    if (layers.length > 0 && each !== layers.at(-1)) each.setAttribute('aria-hidden', 'true');
    else each.removeAttribute('aria-hidden');
  }
}

const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex]';

const focusableIn = (element: HTMLElement): HTMLElement[] =>
  [...element.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (each) => each.tabIndex >= 0 && !each.matches(':disabled') && each.checkVisibility(),
  );

export const Modal = ({ isOpen, ...props }: ModalProps): React.ReactNode => isOpen && <Popup {...props} />;

function Popup(props: Omit<ModalProps, 'isOpen'>): React.ReactNode {
  const { onClose, label, initialFocus, popup: given, className, style, children } = props;
  const title = useId();
  const layer = useRef<HTMLDivElement>(null);
  const own = useRef<HTMLDivElement>(null);
  const popup = given ?? own;
  // Read before fields of the popup take the focus.
  const [opener] = useState(() => document.activeElement);
  const latest = useRef({ onClose, initialFocus });
  useLayoutEffect(() => {
    latest.current = { onClose, initialFocus };
  });

  useLayoutEffect(() => {
    const element = layer.current;
    if (element === null) return;
    const { initialFocus: wanted } = latest.current;
    layers = [...layers, element];
    if (!element.contains(document.activeElement))
      ((typeof wanted === 'function' ? wanted() : wanted.current) ?? popup.current)?.focus({ preventScroll: true });
    hideOthers();
    return () => {
      layers = layers.filter((each) => each !== element);
      hideOthers();
    };
  }, [popup]);

  useEffect(() => {
    const isFront = (): boolean => layers.at(-1) === layer.current;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || !isFront()) return;
      event.preventDefault();
      latest.current.onClose();
    };
    // A page that is drawn meanwhile may take the focus for one of its fields; it goes back to where it was.
    let held = document.activeElement;
    const onFocusIn = ({ target }: FocusEvent): void => {
      if (!(target instanceof HTMLElement)) return;
      const page = document.getElementById('root');
      const isWithin = popup.current?.contains(target) === true;
      const isBehind = [page, ...layers].some((each) => each?.contains(target) === true);
      if (isWithin) held = target;
      else if (isFront() && isBehind && layer.current?.contains(target) !== true)
        (held instanceof HTMLElement && popup.current?.contains(held) === true ? held : popup.current)?.focus();
    };
    document.addEventListener('keydown', onKeyDown);
    document.addEventListener('focusin', onFocusIn);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      document.removeEventListener('focusin', onFocusIn);
      // Unless the focus was taken elsewhere meanwhile.
      if (document.activeElement === document.body && opener instanceof HTMLElement)
        opener.focus({ preventScroll: true });
    };
  }, [popup, opener]);

  useEffect(() => {
    // Content that is replaced may have had the focus.
    if (document.activeElement === document.body && layers.at(-1) === layer.current) popup.current?.focus();
  });

  const focusable = (): HTMLElement[] => (popup.current === null ? [] : focusableIn(popup.current));
  return createPortal(
    <div ref={layer}>
      <div className="backdrop" onClick={onClose} />
      {/* Tab leaves the popup to these, which lead back to its other end. */}
      <span tabIndex={0} onFocus={() => (focusable().at(-1) ?? popup.current)?.focus()} />
      <div
        ref={popup}
        role="dialog"
        aria-modal="true"
        aria-label={label}
        aria-labelledby={label === undefined ? title : undefined}
        tabIndex={-1}
        style={style}
        className={`popup fixed left-1/2 z-40 max-w-[94vw] -translate-x-1/2 ${className}`}
      >
        <TitleId value={title}>{children}</TitleId>
      </div>
      <span tabIndex={0} onFocus={() => (focusable()[0] ?? popup.current)?.focus()} />
    </div>,
    document.body,
  );
}
