/**
 * Requests the files that a listing did not contain. A listing may be cut, out of order or stale, so that a
 * document is deleted only if the source says of its own file that it is gone.
 */
import type { Connector, Existence, KnownFile } from '@quire/connectors/connector';
import {
  AddressRefused,
  ConnectorError,
  CredentialsRefused,
  ListingFailed,
  SourceUnavailable,
} from '@quire/connectors/connector-error';
import type { SourceItemRecord } from '../../../database/tables.ts';

/** The source did not answer; the slice is repeated after a delay. */
export class SourceDown extends Error {
  override readonly name = 'SourceDown';
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Number of requests in a row that the source does not answer, after which it counts as down. */
export const MAX_UNANSWERED = 20;
/** Number of slices in a row that wait for an answer about one file. */
const MAX_WAITS = 2;

export interface Verdicts {
  /** Answers by path. A file that is not in it has to be requested again. */
  answers: ReadonlyMap<string, Existence>;
  /** Failure that ends the slice after the answers were stored. */
  stop?: Error;
}

export interface VerificationOptions {
  concurrency: number;
  /** Number of slices in a row in which the source failed. */
  failures: number;
  /** Whether the slice is over. At least one file is requested in each slice. */
  isOver: () => boolean;
}

export const knownFile = ({ path, source_id: id, url }: Pick<SourceItemRecord, 'path' | 'source_id' | 'url'>) =>
  ({ path, ...(id === null ? {} : { id }), ...(url === null ? {} : { url }) }) satisfies KnownFile;

export async function verify(
  source: Connector,
  files: readonly KnownFile[],
  { concurrency, failures, isOver }: VerificationOptions,
  signal: AbortSignal,
): Promise<Verdicts> {
  const answers = new Map<string, Existence>();
  const silent: { path: string; error: SourceUnavailable }[] = [];
  const queue = files.values();
  let inRow = 0;
  let stop: Error | undefined;
  const askAll = async (): Promise<void> => {
    for (const file of queue) {
      try {
        answers.set(file.path, await source.exists(file, signal));
        inRow = 0;
      } catch (error) {
        if (signal.aborted || !(error instanceof ConnectorError)) throw error;
        if (error instanceof SourceUnavailable) {
          inRow += 1;
          silent.push({ path: file.path, error });
          const mustWait = error.retryAfterMs !== null && failures < MAX_WAITS;
          if (mustWait || inRow >= MAX_UNANSWERED) stop ??= new SourceDown(error.message, error.retryAfterMs);
        } else if (endsSynchronisation(error)) stop ??= error;
        else answers.set(file.path, 'unknown');
      }
      if (stop !== undefined || isOver()) return;
    }
  };
  const asking = await Promise.allSettled(Array.from({ length: concurrency }, askAll));
  const failed = asking.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  const [first] = silent;
  if (first !== undefined && answers.size === 0 && failures < MAX_WAITS) {
    stop ??= new SourceDown(first.error.message, first.error.retryAfterMs);
  }
  if (stop !== undefined) return { answers, stop };
  for (const { path } of silent) answers.set(path, 'unknown');
  return { answers };
}

const endsSynchronisation = (error: ConnectorError): boolean =>
  error instanceof CredentialsRefused || error instanceof ListingFailed || error instanceof AddressRefused;
