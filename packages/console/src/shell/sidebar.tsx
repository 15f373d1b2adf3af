import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { IconButton } from '../components/controls/button.tsx';
import { Icon, type IconName } from '../components/icon.tsx';
import { basePath } from '../data/client.ts';
import { useRefusal, useWorkspace } from '../data/workspace.ts';
import { NAVIGATION, type NavigationEntry } from '../screens/navigation.ts';
import { workspacesQuery } from '../session/home.ts';
import { useRootClient } from '../session/root-client.ts';
import { signOut } from '../session/session.ts';
import { Keys } from './key-list.tsx';
import { Logo } from './logo.tsx';
import { setTheme, useTheme, type Theme } from './theme.ts';
import { useNavigate } from '@tanstack/react-router';

interface SidebarProps {
  isMenuOpen: boolean;
  onMenu: () => void;
  onPalette: () => void;
  onKeys: () => void;
}

/** Navigation at the left; on phones a bar on top with a menu. Palette and list of keys open without drawing it. */
export const Sidebar = memo(function Sidebar(props: SidebarProps): React.ReactElement {
  const { isMenuOpen, onMenu, onPalette, onKeys } = props;
  return (
    <header className="flex shrink-0 flex-col border-line bg-sunken max-md:border-b md:w-56 md:border-r">
      <div className="flex items-center gap-1 px-3 py-2.5">
        <Link to="/" className="flex-1 no-underline">
          <Logo />
        </Link>
        <IconButton
          icon={isMenuOpen ? 'close' : 'menu'}
          label={isMenuOpen ? 'Close the menu' : 'Open the menu'}
          aria-expanded={isMenuOpen}
          onClick={onMenu}
          className="md:hidden"
        />
      </div>
      <div
        className={`min-h-0 flex-1 flex-col overflow-auto max-md:max-h-[calc(70dvh-var(--toasts))] md:flex ${isMenuOpen ? 'flex' : 'hidden'}`}
      >
        <WorkspaceName />
        <button
          type="button"
          onClick={onPalette}
          className="mx-3 mb-2 flex items-center gap-2 rounded-[5px] border border-line bg-surface px-2 py-1 text-muted hover:border-line-strong"
        >
          <Icon name="search" />
          <span className="flex-1 text-left">Go to…</span>
          <Keys of="mod+k" />
        </button>
        <nav aria-label="Pages" className="flex-1 px-2">
          {NAVIGATION.map(({ title, entries }) => (
            <section key={title} className="mb-3">
              <h2 className="px-2 py-1 text-xs font-medium text-muted">{title}</h2>
              <ul>
                {entries.map((entry) => (
                  <Entry key={entry.to} {...entry} />
                ))}
              </ul>
            </section>
          ))}
        </nav>
        <Foot onKeys={onKeys} />
      </div>
    </header>
  );
});

function Entry({ to, label, icon, needs }: NavigationEntry): React.ReactElement {
  const { id: ws } = useWorkspace();
  const refusal = useRefusal(needs);
  return (
    <li>
      <Link
        to={to as '/'}
        params={{ ws } as never}
        title={refusal}
        className={`flex items-center gap-2.5 rounded-[5px] px-2 py-1 text-ink no-underline hover:bg-hover ${refusal === undefined ? '' : 'text-muted'}`}
        activeProps={{ className: 'bg-hover font-medium shadow-[inset_3px_0_var(--color-mark-line)]' }}
      >
        <Icon name={icon} className="text-muted" />
        {label}
      </Link>
    </li>
  );
}

/** The name of the workspace; with the root key a choice of all workspaces. */
function WorkspaceName(): React.ReactNode {
  const { id, principal } = useWorkspace();
  const navigate = useNavigate();
  const { data } = useQuery({ ...workspacesQuery(useRootClient()), enabled: principal.permission === 'root' });
  if (principal.permission !== 'root' || data === undefined) return null;
  return (
    <label className="mx-3 mb-2 block">
      <span className="sr-only">Workspace</span>
      <select
        value={id}
        className="input w-full"
        onChange={(event) => void navigate({ to: '/w/$ws/collections', params: { ws: event.target.value } })}
      >
        {!data.items.some((each) => each.id === id) && <option value={id}>{id}</option>}
        {data.items.map((each) => (
          <option key={each.id} value={each.id}>
            {each.name}
          </option>
        ))}
      </select>
    </label>
  );
}

const THEMES: readonly { theme: Theme; icon: IconName; label: string }[] = [
  { theme: 'auto', icon: 'auto', label: 'Theme: as the system' },
  { theme: 'light', icon: 'sun', label: 'Theme: light' },
  { theme: 'dark', icon: 'moon', label: 'Theme: dark' },
];

function Foot({ onKeys }: { onKeys: () => void }): React.ReactElement {
  const theme = useTheme();
  const { principal } = useWorkspace();
  const index = THEMES.findIndex((each) => each.theme === theme);
  const shown = THEMES[index] ?? THEMES[0];
  const next = THEMES[(index + 1) % THEMES.length];
  return (
    <div className="border-t border-line px-3 py-2 text-sm text-muted">
      <p>
        Key with <strong className="font-medium text-ink">{principal.permission}</strong> permission
        {principal.collectionIds !== null &&
          ` in ${principal.collectionIds.length} ${principal.collectionIds.length === 1 ? 'collection' : 'collections'}`}
      </p>
      <p className="mt-1">
        <a href={`${basePath}/guide`} target="_blank" rel="noreferrer">
          Guide
        </a>
        {' · '}
        <a href={`${basePath}/docs`} target="_blank" rel="noreferrer">
          API
        </a>
      </p>
      <div className="-ml-1.5 flex">
        <IconButton
          icon={shown?.icon ?? 'auto'}
          label={shown?.label ?? 'Theme'}
          onClick={() => setTheme(next?.theme ?? 'auto')}
        />
        <IconButton icon="info" label="List of keys (?)" onClick={onKeys} />
        <span className="flex-1" />
        <IconButton icon="exit" label="Sign out" onClick={() => signOut()} />
      </div>
    </div>
  );
}
