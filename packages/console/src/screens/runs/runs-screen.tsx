import { createLazyRoute } from '@tanstack/react-router';
import { Empty, Page } from '../../components/page.tsx';

export const route = createLazyRoute('/w/$ws/runs')({ component: RunsScreen });

function RunsScreen(): React.ReactElement {
  return (
    <Page title="Runs">
      <Empty icon="runs" title="This page is not finished">
        The API and the command line have all of it already.
      </Empty>
    </Page>
  );
}
