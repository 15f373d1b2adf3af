import { createRoute } from '@tanstack/react-router';
import { workspaceRoute } from '../workspace-route.tsx';

export const documentRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'collections/$col/documents/$doc',
}).lazy(() => import('./document-screen.tsx').then(({ route }) => route));
