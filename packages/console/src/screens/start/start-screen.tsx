import { createLazyRoute } from '@tanstack/react-router';
import { Empty, Page } from '../../components/page.tsx';

export const route = createLazyRoute('/w/$ws/start')({ component: StartScreen });

function StartScreen(): React.ReactElement {
  return (
    <Page title="Start">
      <Empty icon="start" title="This page is not finished">
        The API and the command line have all of it already.
      </Empty>
    </Page>
  );
}
