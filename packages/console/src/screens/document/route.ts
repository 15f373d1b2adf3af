import { createRoute } from '@tanstack/react-router';
import { oneOf, searchParams, text, whole } from '../../data/search-params.ts';
import { workspaceRoute } from '../workspace-route.tsx';

export const documentRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'collections/$col/documents/$doc',
  validateSearch: searchParams({
    page: whole,
    chunk: text,
    block: text,
    /** Boxes to mark, as `marks.ts` writes them. */
    mark: text,
    pane: oneOf('chunks', 'details', 'markdown'),
  }),
}).lazy(() => import('./document-screen.tsx').then(({ route }) => route));
