import type { Chat } from '@quire/client';
import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../components/controls/button.tsx';
import { ErrorBox } from '../../components/states/error-box.tsx';
import { Time } from '../../components/content/time.tsx';
import { listOptions, useList } from '../../data/list.ts';
import { useWorkspace, type WorkspaceContext } from '../../data/workspace.ts';

export const chatsList = ({ id, quire }: WorkspaceContext) =>
  listOptions<Chat>([id, 'chats'], (signal) => quire.chats.list({ limit: 100, signal }));

/** All chats, at the left of every chat page; phones show it on the page of all chats only. */
export function ChatList({ isAlone = false }: { isAlone?: boolean }): React.ReactElement {
  const workspace = useWorkspace();
  const { rows, error, retry, hasMore, loadMore } = useList(chatsList(workspace));
  return (
    <nav
      aria-label="Chats"
      className={`min-h-0 w-60 shrink-0 flex-col overflow-auto border-r border-line p-2 ${isAlone ? 'flex max-md:order-last max-md:w-full max-md:overflow-visible max-md:border-0' : 'hidden lg:flex'}`}
    >
      <Link
        to="/w/$ws/chat"
        params={{ ws: workspace.id }}
        className={`${buttonClass('plain')} mb-2 text-ink ${isAlone ? 'max-md:hidden' : ''}`}
      >
        New chat
      </Link>
      {error !== null && <ErrorBox error={error} onRetry={retry} />}
      <ul className="space-y-px">
        {rows.map(({ id, title, modifiedAt }) => (
          <li key={id}>
            <Link
              to="/w/$ws/chat/$chat"
              params={{ ws: workspace.id, chat: id }}
              className="block rounded px-2 py-1 text-ink no-underline hover:bg-hover"
              activeProps={{ className: 'bg-hover font-medium' }}
            >
              <span className="block truncate">{title ?? 'Chat'}</span>
              <span className="text-xs text-muted">
                <Time at={modifiedAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {hasMore && (
        <button type="button" className="mt-2 text-accent underline" onClick={loadMore}>
          Older chats
        </button>
      )}
    </nav>
  );
}
