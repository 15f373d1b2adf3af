/** All chats, and the beginning of a new one. */
import { createLazyRoute } from '@tanstack/react-router';
import { Page } from '../../components/page.tsx';
import { ChatList } from './chat-list.tsx';
import { NewChat } from './new-chat.tsx';

export const route = createLazyRoute('/w/$ws/chat')({ component: ChatsScreen });

function ChatsScreen(): React.ReactElement {
  return (
    <Page title="Chat" isFull>
      <div className="flex min-h-0 flex-1 border-t border-line max-md:flex-col max-md:overflow-auto">
        <ChatList isAlone />
        <NewChat />
      </div>
    </Page>
  );
}
