import { createRoute } from '@tanstack/react-router';
import { oneOf, searchParams, text } from '../../data/search-params.ts';
import { workspaceRoute } from '../workspace-route.tsx';

export const evaluationRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'evaluation',
  validateSearch: searchParams({
    in: text,
    a: oneOf('hybrid', 'dense', 'sparse'),
    b: oneOf('hybrid', 'dense', 'sparse'),
  }),
}).lazy(() => import('./evaluation-screen.tsx').then(({ route }) => route));
