import { createLazyRoute } from '@tanstack/react-router';
import { Empty, Page } from '../../components/page.tsx';

export const route = createLazyRoute('/w/$ws/collections/$col/documents/$doc')({ component: DocumentScreen });

function DocumentScreen(): React.ReactElement {
  return (
    <Page title="Document">
      <Empty icon="documents" title="This page is not finished">
        The API and the command line have all of it already.
      </Empty>
    </Page>
  );
}
