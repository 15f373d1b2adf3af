import { createRoute } from '@tanstack/react-router';
import { workspaceRoute } from '../workspace-route.tsx';

export const runsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'runs',
}).lazy(() => import('./runs-screen.tsx').then(({ route }) => route));
