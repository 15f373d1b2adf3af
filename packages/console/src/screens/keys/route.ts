import { createRoute } from '@tanstack/react-router';
import { workspaceRoute } from '../workspace-route.tsx';

export const keysRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'keys',
}).lazy(() => import('./keys-screen.tsx').then(({ route }) => route));
