import { createLazyRoute } from '@tanstack/react-router';
import { Empty, Page } from '../../components/page.tsx';

export const route = createLazyRoute('/w/$ws/chat')({ component: ChatScreen });

function ChatScreen(): React.ReactElement {
  return (
    <Page title="Chat">
      <Empty icon="chat" title="This page is not finished">
        The API and the command line have all of it already.
      </Empty>
    </Page>
  );
}
