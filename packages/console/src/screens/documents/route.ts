import { createRoute } from '@tanstack/react-router';
import { oneOf, searchParams, text } from '../../data/search-params.ts';
import { workspaceRoute } from '../workspace-route.tsx';

export const documentsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'collections/$col',
  validateSearch: searchParams({
    status: oneOf('indexing', 'ready', 'failed', 'deleted'),
    error: text,
    name: text,
    view: oneOf('settings'),
  }),
}).lazy(() => import('./documents-screen.tsx').then(({ route }) => route));
