import { Toast } from '@base-ui/react/toast';
import { QuireError } from '@quire/client';
import { useEffect, useRef } from 'react';
import { IconButton } from '../controls/button.tsx';
import { messageOf } from './error-box.tsx';

const manager = Toast.createToastManager();

/** Short messages about what was done. Failures of forms and lists are shown in their place instead. */
export const toast = {
  done(title: string, action?: { label: string; run: () => void }): void {
    const actionProps = action === undefined ? {} : { actionProps: { children: action.label, onClick: action.run } };
    manager.add({ title, type: 'done', timeout: 5_000, ...actionProps });
  },
  failed(title: string, error: unknown): void {
    const request = error instanceof QuireError && error.requestId !== undefined ? ` Request ${error.requestId}` : '';
    const description = `${messageOf(error)}${request}`;
    manager.add({ title, description, type: 'failed', timeout: 12_000, priority: 'high' });
  },
};

export const ToastProvider = ({ children }: { children: React.ReactNode }): React.ReactElement => (
  <Toast.Provider toastManager={manager}>
    {children}
    <Toast.Portal>
      <Viewport />
    </Toast.Portal>
  </Toast.Provider>
);

/** Height of the messages with the space around them; page and dialogs end above it, so that no button is covered. */
const RESERVED = '--toasts';
const AROUND_PX = 32;

function Viewport(): React.ReactElement {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observed = element.current;
    if (observed === null) return undefined;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      const height = observed.offsetHeight;
      style.setProperty(RESERVED, `${height === 0 ? 0 : height + AROUND_PX}px`);
    });
    observer.observe(observed);
    return () => {
      observer.disconnect();
      style.removeProperty(RESERVED);
    };
  }, []);
  return (
    <Toast.Viewport
      ref={element}
      className="fixed right-4 bottom-4 z-50 flex max-h-[40dvh] w-80 max-w-[calc(100vw-2rem)] flex-col gap-2 overflow-auto"
    >
      <Toasts />
    </Toast.Viewport>
  );
}

function Toasts(): React.ReactNode {
  const { toasts } = Toast.useToastManager();
  return toasts.map((each) => (
    <Toast.Root
      key={each.id}
      toast={each}
      data-toast
      className="popup flex items-start gap-2 p-3 shadow-none data-[type=failed]:bg-danger-soft"
    >
      <div className="min-w-0 flex-1">
        <Toast.Title className="font-medium" />
        <Toast.Description className="text-sm" />
        <Toast.Action className="mt-1 text-accent underline" />
      </div>
      <Toast.Close render={<IconButton icon="close" label="Close" className="-mt-1 -mr-1" />} />
    </Toast.Root>
  ));
}
