import { createRoute } from '@tanstack/react-router';
import { workspaceRoute } from '../workspace-route.tsx';

export const configurationsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'configurations',
}).lazy(() => import('./configurations-screen.tsx').then(({ route }) => route));
