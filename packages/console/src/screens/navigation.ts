/** The pages in the side bar and in the palette. */
import type { IconName } from '../components/icon.tsx';
import type { Permission } from '../data/workspace.ts';

export interface NavigationEntry {
  /** Path of the route, with `$ws` for the workspace. */
  to: string;
  label: string;
  icon: IconName;
  /** Permission that the page needs as a whole; without it the entry is shown as not available. */
  needs?: Permission;
}

export const NAVIGATION: readonly { title: string; entries: readonly NavigationEntry[] }[] = [
  {
    title: 'Documents',
    entries: [
      { to: '/w/$ws/start', label: 'Start', icon: 'start' },
      { to: '/w/$ws/collections', label: 'Collections', icon: 'collections' },
      { to: '/w/$ws/search', label: 'Search', icon: 'search' },
      { to: '/w/$ws/chat', label: 'Chat', icon: 'chat' },
      { to: '/w/$ws/evaluation', label: 'Evaluation', icon: 'evaluation' },
    ],
  },
  { title: 'Processing', entries: [{ to: '/w/$ws/runs', label: 'Runs', icon: 'runs' }] },
  {
    title: 'Workspace',
    entries: [
      { to: '/w/$ws/connectors', label: 'Connectors', icon: 'connectors' },
      { to: '/w/$ws/configurations', label: 'Configurations', icon: 'configurations' },
      { to: '/w/$ws/webhooks', label: 'Webhooks', icon: 'webhooks' },
      { to: '/w/$ws/keys', label: 'Keys and tokens', icon: 'keys', needs: 'admin' },
      { to: '/w/$ws/audit', label: 'Audit', icon: 'audit', needs: 'admin' },
      { to: '/w/$ws/system', label: 'System', icon: 'system' },
    ],
  },
];
