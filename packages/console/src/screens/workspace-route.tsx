/** The root of all routes, and the frame of the pages of a workspace. */
import { createRootRoute, createRoute, Outlet } from '@tanstack/react-router';
import { Frame } from '../shell/frame.tsx';
import { NotFound } from '../shell/not-found.tsx';

export const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

export const workspaceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'w/$ws',
  component: function Workspace() {
    const { ws } = workspaceRoute.useParams();
    return (
      <Frame key={ws} workspaceId={ws}>
        <Outlet />
      </Frame>
    );
  },
});
