import { ErrorBox } from '../components/error-box.tsx';

/** A fault while a page was drawn or loaded, such as files of a console that was updated meanwhile. */
export const RouteError = ({ error }: { error: unknown }): React.ReactElement => (
  <ErrorBox error={error} onRetry={() => location.reload()} className="m-6" />
);
