import { createRoute } from '@tanstack/react-router';
import { workspaceRoute } from '../workspace-route.tsx';

export const evaluationRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'evaluation',
}).lazy(() => import('./evaluation-screen.tsx').then(({ route }) => route));
