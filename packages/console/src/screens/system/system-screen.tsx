import { createLazyRoute } from '@tanstack/react-router';
import { Empty, Page } from '../../components/page.tsx';

export const route = createLazyRoute('/w/$ws/system')({ component: SystemScreen });

function SystemScreen(): React.ReactElement {
  return (
    <Page title="System">
      <Empty icon="system" title="This page is not finished">
        The API and the command line have all of it already.
      </Empty>
    </Page>
  );
}
