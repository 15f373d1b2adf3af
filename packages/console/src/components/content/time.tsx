import { formatAgo, formatTime } from './format.ts';

/** A time as its distance to now; the exact time is in the title. */
export const Time = ({ at }: { at: string }): React.ReactElement => (
  <time dateTime={at} title={formatTime(at)} className="whitespace-nowrap">
    {formatAgo(at)}
  </time>
);
