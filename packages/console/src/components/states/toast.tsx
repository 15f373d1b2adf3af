import { Toast } from '@base-ui/react/toast';
import { QuireError } from '@quire/client';
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
      <Toast.Viewport className="fixed right-4 bottom-4 z-50 flex w-80 max-w-[calc(100vw-2rem)] flex-col gap-2">
        <Toasts />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
);

function Toasts(): React.ReactNode {
  const { toasts } = Toast.useToastManager();
  return toasts.map((each) => (
    <Toast.Root
      key={each.id}
      toast={each}
      data-toast
      className="popup flex items-start gap-2 p-3 data-[type=failed]:bg-danger-soft"
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
