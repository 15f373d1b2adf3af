import { createLazyRoute } from '@tanstack/react-router';
import { Empty, Page } from '../../components/page.tsx';

export const route = createLazyRoute('/w/$ws/configurations')({ component: ConfigurationsScreen });

function ConfigurationsScreen(): React.ReactElement {
  return (
    <Page title="Configurations">
      <Empty icon="configurations" title="This page is not finished">
        The API and the command line have all of it already.
      </Empty>
    </Page>
  );
}
