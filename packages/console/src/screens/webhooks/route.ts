import { createRoute } from '@tanstack/react-router';
import { flag, oneOf, searchParams, text } from '../../data/search-params.ts';
import { workspaceRoute } from '../workspace-route.tsx';

export const webhooksRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'webhooks',
  validateSearch: searchParams({
    new: flag,
    /** The webhook whose settings are shown. */
    webhook: text,
    /** The delivery that is shown. */
    delivery: text,
    status: oneOf('pending', 'delivered', 'failed', 'cancelled'),
    event: oneOf('process.completed', 'document.ready', 'document.failed', 'connector.synced', 'webhook.test'),
  }),
}).lazy(() => import('./webhooks-screen.tsx').then(({ route }) => route));
