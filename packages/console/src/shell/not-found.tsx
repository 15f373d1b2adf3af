import { Empty } from '../components/page.tsx';
import { buttonClass } from '../components/controls/button.tsx';
import { Link } from '@tanstack/react-router';

export const NotFound = (): React.ReactElement => (
  <Empty
    isPage
    icon="info"
    title="There is no page at this address"
    action={
      <Link to="/" className={buttonClass('primary')}>
        Go to the start
      </Link>
    }
  >
    The address may be cut off, or the page has another name now.
  </Empty>
);
