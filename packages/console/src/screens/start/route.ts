import { createRoute } from '@tanstack/react-router';
import { searchParams, text } from '../../data/search-params.ts';
import { workspaceRoute } from '../workspace-route.tsx';

export const startRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'start',
  validateSearch: searchParams({ in: text }),
}).lazy(() => import('./start-screen.tsx').then(({ route }) => route));
