import { useDeadline } from '../../data/deadlines.ts';
import { formatClock, formatTime } from './format.ts';

/** The time by which a document that is being processed has ended; nothing while it waits. */
export function Deadline({ of }: { of: string }): React.ReactNode {
  const at = useDeadline(of);
  return (
    at !== undefined && (
      <time
        dateTime={at}
        title={`It fails if it is not ready by ${formatTime(at)}`}
        className="text-sm whitespace-nowrap text-muted max-md:hidden"
      >
        ends by {formatClock(at)}
      </time>
    )
  );
}
