import { createRoute } from '@tanstack/react-router';
import { searchParams, text, whole } from '../../data/search-params.ts';
import { workspaceRoute } from '../workspace-route.tsx';

export const chatsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'chat',
  validateSearch: searchParams({ in: text, q: text }),
}).lazy(() => import('./chats-screen.tsx').then(({ route }) => route));

export const chatRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'chat/$chat',
  /** The source beside the answer: a message and the number of its citation. */
  validateSearch: searchParams({ message: text, source: whole }),
}).lazy(() => import('./chat-screen.tsx').then(({ route }) => route));
