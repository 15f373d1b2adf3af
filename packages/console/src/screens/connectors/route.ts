import { createRoute } from '@tanstack/react-router';
import { flag, searchParams, text } from '../../data/search-params.ts';
import { workspaceRoute } from '../workspace-route.tsx';

export const connectorsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'connectors',
  validateSearch: searchParams({
    new: flag,
    /** The connector that is shown. */
    id: text,
    /** Its synchronisation that is shown. */
    sync: text,
  }),
}).lazy(() => import('./connectors-screen.tsx').then(({ route }) => route));
