import { createRoute } from '@tanstack/react-router';
import { flag, oneOf, searchParams, share, text, whole } from '../../data/search-params.ts';
import { workspaceRoute } from '../workspace-route.tsx';

const mode = oneOf('hybrid', 'dense', 'sparse');
const fusion = oneOf('rrf', 'minmax');

export const searchRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'search',
  validateSearch: searchParams({
    q: text,
    /** Collection; all by default. */
    in: text,
    mode,
    fusion,
    /** Weight of the dense leg, 0 to 1. */
    dense: share,
    filter: text,
    min: share,
    limit: whole,
    /** Whether a second column shows other settings. */
    ab: flag,
    inB: text,
    modeB: mode,
    fusionB: fusion,
    denseB: share,
  }),
}).lazy(() => import('./search-screen.tsx').then(({ route }) => route));
