import { createRoute } from '@tanstack/react-router';
import { flag, oneOf, searchParams, text } from '../../data/search-params.ts';
import { workspaceRoute } from '../workspace-route.tsx';

export const configurationsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'configurations',
  validateSearch: searchParams({
    kind: oneOf('models', 'embedders', 'parsers'),
    new: flag,
    deleted: flag,
    /** The configuration whose settings are shown. */
    id: text,
  }),
}).lazy(() => import('./configurations-screen.tsx').then(({ route }) => route));
