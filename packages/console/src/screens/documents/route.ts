import { createRoute } from '@tanstack/react-router';
import { workspaceRoute } from '../workspace-route.tsx';

export const documentsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'collections/$col',
}).lazy(() => import('./documents-screen.tsx').then(({ route }) => route));
