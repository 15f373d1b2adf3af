import { onAbort } from './abort.ts';

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 8_000;

/** Returns the delay before retry number `attempt`: the time that the service named, else exponential with jitter. */
export function retryDelayMs(attempt: number, retryAfter?: number): number {
  const backOff = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
  return retryAfter === undefined ? backOff * (0.5 + Math.random() / 2) : retryAfter * 1_000 + Math.random() * 100;
}

/** Resolves after the delay; rejects with the signal's reason when it is aborted. */
export function sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      ignore();
      resolve();
    }, delayMs);
    const ignore = onAbort(signal, (reason) => {
      clearTimeout(timer);
      reject(reason);
    });
  });
}

/** Rejects with the signal's reason if it is aborted before the value is there. The value may be shared with others. */
export function unlessAborted<T>(value: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    value.then(resolve, reject).finally(onAbort(signal, reject));
  });
}
