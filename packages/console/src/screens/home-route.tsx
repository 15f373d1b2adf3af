/** Addresses without a workspace: `/`, and documents as assistants name them. They lead to the workspace of the key. */
import { useQuery } from '@tanstack/react-query';
import { createRoute, Navigate } from '@tanstack/react-router';
import { ErrorBox } from '../components/states/error-box.tsx';
import { Skeleton } from '../components/page.tsx';
import { parseSearch } from '../data/search-params.ts';
import { useRootClient } from '../session/root-client.ts';
import { homeQuery } from '../session/home.ts';
import { WorkspacePicker } from '../shell/workspace-picker.tsx';
import { rootRoute } from './workspace-route.tsx';

function useHome(): { ws: string | null | undefined; shown: React.ReactElement } {
  const home = useQuery(homeQuery(useRootClient()));
  if (home.error !== null)
    return {
      ws: undefined,
      shown: <ErrorBox error={home.error} onRetry={() => void home.refetch()} className="m-6" />,
    };
  if (home.data === undefined) return { ws: undefined, shown: <Skeleton /> };
  return { ws: home.data.workspaceId, shown: <WorkspacePicker /> };
}

export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: function Home() {
    const { ws, shown } = useHome();
    return typeof ws === 'string' ? <Navigate to="/w/$ws/start" params={{ ws }} replace /> : shown;
  },
});

export const documentLinkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'collections/$col/documents/$doc',
  component: function DocumentLink() {
    const { ws, shown } = useHome();
    const { col, doc } = documentLinkRoute.useParams();
    if (typeof ws !== 'string') return shown;
    return (
      <Navigate
        to="/w/$ws/collections/$col/documents/$doc"
        params={{ ws, col, doc }}
        search={parseSearch(location.search) as never}
        replace
      />
    );
  },
});
