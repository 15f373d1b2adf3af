import { createRoute } from '@tanstack/react-router';
import { workspaceRoute } from '../workspace-route.tsx';

export const searchRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'search',
}).lazy(() => import('./search-screen.tsx').then(({ route }) => route));
