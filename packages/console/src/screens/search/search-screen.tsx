import { createLazyRoute } from '@tanstack/react-router';
import { Empty, Page } from '../../components/page.tsx';

export const route = createLazyRoute('/w/$ws/search')({ component: SearchScreen });

function SearchScreen(): React.ReactElement {
  return (
    <Page title="Search">
      <Empty icon="search" title="This page is not finished">
        The API and the command line have all of it already.
      </Empty>
    </Page>
  );
}
