import { createLazyRoute } from '@tanstack/react-router';
import { Empty, Page } from '../../components/page.tsx';

export const route = createLazyRoute('/w/$ws/webhooks')({ component: WebhooksScreen });

function WebhooksScreen(): React.ReactElement {
  return (
    <Page title="Webhooks">
      <Empty icon="webhooks" title="This page is not finished">
        The API and the command line have all of it already.
      </Empty>
    </Page>
  );
}
