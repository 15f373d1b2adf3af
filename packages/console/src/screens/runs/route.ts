import { createRoute } from '@tanstack/react-router';
import { flag, searchParams, text } from '../../data/search-params.ts';
import { workspaceRoute } from '../workspace-route.tsx';

export const runsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'runs',
  validateSearch: searchParams({
    new: flag,
    /** The run that is shown. */
    id: text,
  }),
}).lazy(() => import('./runs-screen.tsx').then(({ route }) => route));
