import { PageError } from '../components/page.tsx';

/** A fault while a page was drawn or loaded, such as files of a console that was updated meanwhile. */
export const RouteError = ({ error }: { error: unknown }): React.ReactElement => (
  <PageError error={error} onRetry={() => location.reload()} />
);
