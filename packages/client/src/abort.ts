/**
 * Calls `abort` with the reason when the signal is aborted, at once if it already is. Returns a function that removes
 * the listener.
 */
export function onAbort(signal: AbortSignal | null | undefined, abort: (reason: unknown) => void): () => void {
  const listener = (): void => abort(signal?.reason);
  if (signal?.aborted === true) listener();
  else signal?.addEventListener('abort', listener, { once: true });
  return () => signal?.removeEventListener('abort', listener);
}
