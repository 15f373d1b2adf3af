/**
 * Positions in the change feed, as clients send them back. A position is a snapshot of PostgreSQL: the changes of
 * transactions that it did not see follow. Within the changes up to the next snapshot, it also has that one and a key.
 */
export interface Position {
  /** Snapshot up to which all changes were read, in PostgreSQL's text form. */
  from: string;
  /** The changes up to the snapshot `upto`, read as far as the key `after`. */
  window: { upto: string; after: string } | null;
  /** Time at which `from` was taken, in ms since the epoch. */
  takenMs: number;
}

const SNAPSHOT = /^\d{1,19}:\d{1,19}:(?:\d{1,19}(?:,\d{1,19})*)?$/;
const KEY = /^\d{1,18}$/;
const TIME = /^[0-9a-z]{1,11}$/;
/** Maximum length of a position: a snapshot of some hundred concurrent transactions. */
const MAX_LENGTH = 12_000;
const SEPARATOR = '~';

export function writePosition({ from, window, takenMs }: Position): string {
  const parts = [Math.round(takenMs).toString(36), from, ...(window === null ? [] : [window.upto, window.after])];
  return parts.join(SEPARATOR);
}

/** Returns undefined for a text that is not a position. */
export function readPosition(text: string): Position | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const [time = '', from = '', upto, after, ...more] = text.split(SEPARATOR);
  if (!TIME.test(time) || !SNAPSHOT.test(from) || more.length > 0) return undefined;
  const takenMs = Number.parseInt(time, 36);
  if (upto === undefined) return { from, window: null, takenMs };
  if (!SNAPSHOT.test(upto) || after === undefined || !KEY.test(after)) return undefined;
  return { from, window: { upto, after }, takenMs };
}

/** Equal for positions with the same changes after them. */
export const placeOf = ({ from, window }: Position): string =>
  window === null ? from : `${from}${SEPARATOR}${window.upto}${SEPARATOR}${window.after}`;
