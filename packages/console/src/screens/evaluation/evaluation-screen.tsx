import { createLazyRoute } from '@tanstack/react-router';
import { Empty, Page } from '../../components/page.tsx';

export const route = createLazyRoute('/w/$ws/evaluation')({ component: EvaluationScreen });

function EvaluationScreen(): React.ReactElement {
  return (
    <Page title="Evaluation">
      <Empty icon="evaluation" title="This page is not finished">
        The API and the command line have all of it already.
      </Empty>
    </Page>
  );
}
