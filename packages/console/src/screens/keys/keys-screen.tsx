import { createLazyRoute } from '@tanstack/react-router';
import { Empty, Page } from '../../components/page.tsx';

export const route = createLazyRoute('/w/$ws/keys')({ component: KeysScreen });

function KeysScreen(): React.ReactElement {
  return (
    <Page title="Keys and tokens">
      <Empty icon="keys" title="This page is not finished">
        The API and the command line have all of it already.
      </Empty>
    </Page>
  );
}
