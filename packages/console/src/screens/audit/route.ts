import { createRoute } from '@tanstack/react-router';
import { oneOf, searchParams, text } from '../../data/search-params.ts';
import { workspaceRoute } from '../workspace-route.tsx';

export const auditRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'audit',
  validateSearch: searchParams({
    action: text,
    resourceType: text,
    resourceId: text,
    keyId: text,
    outcome: oneOf('done', 'refused'),
    /** First day, as in `2026-05-04`. */
    since: text,
  }),
}).lazy(() => import('./audit-screen.tsx').then(({ route }) => route));
