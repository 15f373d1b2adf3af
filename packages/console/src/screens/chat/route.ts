import { createRoute } from '@tanstack/react-router';
import { workspaceRoute } from '../workspace-route.tsx';

export const chatsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'chat',
}).lazy(() => import('./chat-screen.tsx').then(({ route }) => route));
