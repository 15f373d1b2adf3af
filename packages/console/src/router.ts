/** The router: the routes of all screens, below the path that the service is reached at. */
import { createRouter } from '@tanstack/react-router';
import { basePath } from './data/client.ts';
import { parseSearch, stringifySearch } from './data/search-params.ts';
import { documentLinkRoute, homeRoute } from './screens/home-route.tsx';
import { screens } from './screens/screens.ts';
import { rootRoute, workspaceRoute } from './screens/workspace-route.tsx';
import { RouteError } from './shell/route-error.tsx';

export const router = createRouter({
  routeTree: rootRoute.addChildren([homeRoute, documentLinkRoute, workspaceRoute.addChildren(screens)]),
  basepath: basePath === '' ? '/' : basePath,
  parseSearch,
  stringifySearch: (search) => stringifySearch(search as never),
  defaultPreload: 'intent',
  defaultErrorComponent: RouteError,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
