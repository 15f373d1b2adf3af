/** The frame of every page: side bar, banners, palette, list of keys; it follows the live events of the workspace. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { ErrorBox } from '../components/states/error-box.tsx';
import { Icon } from '../components/icon.tsx';
import { useIsConnected } from '../data/connection.ts';
import { followWorkspace } from '../data/live.ts';
import { useWorkspace, WorkspaceProvider, type WorkspaceContext } from '../data/workspace.ts';
import { principalQuery, rememberWorkspace } from '../session/home.ts';
import { useRootClient } from '../session/root-client.ts';
import { KeyList } from './key-list.tsx';
import { useKeys } from './keys.ts';
import { Palette } from './palette.tsx';
import { Sidebar } from './sidebar.tsx';
import { UploadPanel } from './upload-panel.tsx';

interface FrameProps {
  workspaceId: string;
  children: React.ReactNode;
}

export function Frame({ workspaceId, children }: FrameProps): React.ReactElement {
  const root = useRootClient();
  const quire = useMemo(() => root.workspace(workspaceId), [root, workspaceId]);
  const { data: principal, error, refetch } = useQuery(principalQuery(root));
  const cache = useQueryClient();
  useEffect(() => rememberWorkspace(workspaceId), [workspaceId]);
  useEffect(() => {
    const controller = new AbortController();
    followWorkspace(quire, workspaceId, cache, controller.signal);
    return () => controller.abort();
  }, [quire, workspaceId, cache]);
  const workspace = useMemo<WorkspaceContext | null>(
    () => (principal === undefined ? null : { id: workspaceId, quire, principal }),
    [workspaceId, quire, principal],
  );
  if (error !== null) return <ErrorBox error={error} onRetry={() => void refetch()} className="m-6" />;
  if (workspace === null) return <div role="status" aria-label="Loading" />;
  return (
    <WorkspaceProvider value={workspace}>
      <Shell>{children}</Shell>
    </WorkspaceProvider>
  );
}

function Shell({ children }: { children: React.ReactNode }): React.ReactElement {
  const [overlay, setOverlay] = useState<'palette' | 'keys' | 'menu' | null>(null);
  const close = useCallback(() => setOverlay(null), []);
  const toggleMenu = useCallback(() => setOverlay((shown) => (shown === 'menu' ? null : 'menu')), []);
  const openPalette = useCallback(() => setOverlay('palette'), []);
  const openKeys = useCallback(() => setOverlay('keys'), []);
  const { id: ws } = useWorkspace();
  const navigate = useNavigate();
  const search = (): void => {
    const field = document.querySelector<HTMLElement>('[data-search]');
    if (field === null) void navigate({ to: '/w/$ws/search', params: { ws } });
    else field.focus();
  };
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => setOverlay(null), [path]);
  useKeys('Everywhere', [
    { key: 'mod+k', label: 'Go to a page, a collection or an action', run: openPalette },
    { key: '/', label: 'Search', run: search },
    { key: '?', label: 'List of keys', run: openKeys },
  ]);
  return (
    <div className="flex h-dvh flex-col md:flex-row">
      <a
        href="#main"
        className="sr-only z-50 rounded bg-surface p-2 focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        Skip to the content
      </a>
      <Sidebar isMenuOpen={overlay === 'menu'} onMenu={toggleMenu} onPalette={openPalette} onKeys={openKeys} />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col pb-(--toasts)">
        <ConnectionBanner />
        <main id="main" tabIndex={-1} className="min-h-0 flex-1 overflow-auto outline-none">
          {children}
        </main>
      </div>
      <UploadPanel />
      <Palette isOpen={overlay === 'palette'} onClose={close} />
      <KeyList isOpen={overlay === 'keys'} onClose={close} />
    </div>
  );
}

function ConnectionBanner(): React.ReactNode {
  if (useIsConnected()) return null;
  return (
    <p role="status" className="flex items-center gap-2 bg-warn-soft px-4 py-1.5 text-warn">
      <Icon name="warning" /> The service does not answer. What you see may be out of date; the console keeps trying.
    </p>
  );
}
