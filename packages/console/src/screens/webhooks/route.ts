import { createRoute } from '@tanstack/react-router';
import { workspaceRoute } from '../workspace-route.tsx';

export const webhooksRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'webhooks',
}).lazy(() => import('./webhooks-screen.tsx').then(({ route }) => route));
