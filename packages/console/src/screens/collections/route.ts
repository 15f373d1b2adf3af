import { createRoute } from '@tanstack/react-router';
import { flag, searchParams } from '../../data/search-params.ts';
import { workspaceRoute } from '../workspace-route.tsx';

export const collectionsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'collections',
  validateSearch: searchParams({ new: flag, deleted: flag }),
}).lazy(() => import('./collections-screen.tsx').then(({ route }) => route));
