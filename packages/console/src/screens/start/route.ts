import { createRoute } from '@tanstack/react-router';
import { workspaceRoute } from '../workspace-route.tsx';

export const startRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'start',
}).lazy(() => import('./start-screen.tsx').then(({ route }) => route));
