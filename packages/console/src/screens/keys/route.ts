import { createRoute } from '@tanstack/react-router';
import { oneOf, searchParams } from '../../data/search-params.ts';
import { workspaceRoute } from '../workspace-route.tsx';

export const keysRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'keys',
  validateSearch: searchParams({ new: oneOf('key', 'token') }),
}).lazy(() => import('./keys-screen.tsx').then(({ route }) => route));
