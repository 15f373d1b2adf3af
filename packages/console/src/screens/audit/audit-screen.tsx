import { createLazyRoute } from '@tanstack/react-router';
import { Empty, Page } from '../../components/page.tsx';

export const route = createLazyRoute('/w/$ws/audit')({ component: AuditScreen });

function AuditScreen(): React.ReactElement {
  return (
    <Page title="Audit">
      <Empty icon="audit" title="This page is not finished">
        The API and the command line have all of it already.
      </Empty>
    </Page>
  );
}
