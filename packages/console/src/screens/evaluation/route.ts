import { createRoute } from '@tanstack/react-router';
import { searchParams, text } from '../../data/search-params.ts';
import { workspaceRoute } from '../workspace-route.tsx';
import { settingsName } from './settings.ts';

export const evaluationRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'evaluation',
  validateSearch: searchParams({
    in: text,
    a: settingsName,
    b: settingsName,
  }),
}).lazy(() => import('./evaluation-screen.tsx').then(({ route }) => route));
