import { createRoute } from '@tanstack/react-router';
import { workspaceRoute } from '../workspace-route.tsx';

export const systemRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'system',
}).lazy(() => import('./system-screen.tsx').then(({ route }) => route));
