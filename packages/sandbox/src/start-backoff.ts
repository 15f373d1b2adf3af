/**
 * Back-off for children that end before they are ready (a module is missing, there is no memory for a process): the
 * next start is after 1 s, then after twice the time, up to a minute. `failure` is set until a child is ready.
 */
export interface StartBackoffOptions {
  firstMs: number;
  /** Starts a child. */
  retry: () => void;
  /** Called for the first failure of a series and for each failure after a retry. */
  onFailed: (failure: SandboxUnavailable) => void;
}

const MAX_DELAY_MS = 60_000;

/** A failure of the machine or the installation, not of the file; a retry may succeed. */
export class SandboxUnavailable extends Error {
  override readonly name = 'SandboxUnavailable';

  constructor(cause: unknown) {
    super('The processes that read files do not start', { cause });
  }
}

export class StartBackoff {
  readonly #options: StartBackoffOptions;
  #failure: SandboxUnavailable | undefined;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: StartBackoffOptions) {
    this.#options = options;
  }

  get failure(): SandboxUnavailable | undefined {
    return this.#failure;
  }

  /** Records a failure. Children that were started together and fail together count once. */
  failed(reason: unknown): void {
    if (this.#timer !== undefined) return;
    this.#failure = new SandboxUnavailable(reason);
    const waitMs = Math.min(this.#options.firstMs * 2 ** this.#failures, MAX_DELAY_MS);
    this.#failures += 1;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#options.retry();
    }, waitMs).unref();
    this.#options.onFailed(this.#failure);
  }

  succeeded(): void {
    this.stop();
    this.#failure = undefined;
    this.#failures = 0;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
