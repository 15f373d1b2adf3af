import { createRoute } from '@tanstack/react-router';
import { workspaceRoute } from '../workspace-route.tsx';

export const auditRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'audit',
}).lazy(() => import('./audit-screen.tsx').then(({ route }) => route));
