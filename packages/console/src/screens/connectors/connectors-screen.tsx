import { createLazyRoute } from '@tanstack/react-router';
import { Empty, Page } from '../../components/page.tsx';

export const route = createLazyRoute('/w/$ws/connectors')({ component: ConnectorsScreen });

function ConnectorsScreen(): React.ReactElement {
  return (
    <Page title="Connectors">
      <Empty icon="connectors" title="This page is not finished">
        The API and the command line have all of it already.
      </Empty>
    </Page>
  );
}
