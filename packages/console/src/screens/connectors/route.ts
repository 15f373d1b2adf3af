import { createRoute } from '@tanstack/react-router';
import { workspaceRoute } from '../workspace-route.tsx';

export const connectorsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'connectors',
}).lazy(() => import('./connectors-screen.tsx').then(({ route }) => route));
