import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tooltip } from '@base-ui/react/tooltip';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ToastProvider } from './components/states/toast.tsx';
import { clientFor } from './data/client.ts';
import { createQueryClient } from './data/query-client.ts';
import { router } from './router.ts';
import { ClientProvider } from './session/root-client.ts';
import { useSession } from './session/session.ts';
import { SignIn } from './session/sign-in.tsx';

export function App(): React.ReactElement {
  const { session, reason } = useSession();
  return (
    <CSPProvider disableStyleElements>
      <Tooltip.Provider>
        {session === null ? <SignIn reason={reason} /> : <SignedIn key={session.key} apiKey={session.key} />}
      </Tooltip.Provider>
    </CSPProvider>
  );
}

/** The console of one key. Another key begins with an empty cache. */
function SignedIn({ apiKey }: { apiKey: string }): React.ReactElement {
  const client = useMemo(() => clientFor(apiKey), [apiKey]);
  const cache = useMemo(() => createQueryClient(), []);
  return (
    <ClientProvider value={client}>
      <QueryClientProvider client={cache}>
        <ToastProvider>
          <RouterProvider router={router} />
        </ToastProvider>
      </QueryClientProvider>
    </ClientProvider>
  );
}
