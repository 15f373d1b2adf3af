/**
 * When the next child may be started after some that ended before they were ready (a module is missing, there is no
 * memory for a process): after 1 s, then twice as long each time, up to a minute. Until one is ready, `failure` is set.
 */
export interface StartBackoffOptions {
  firstMs: number;
  /** Starts one. */
  retry: () => void;
  /** Told of the first failure of a row and of each that follows a retry. */
  onFailed: (failure: SandboxUnavailable) => void;
}

const LONGEST_MS = 60_000;

/** The machine's or the installation's fault, not the file's: worth another attempt. */
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

  /** Children that were started together and fail together count once. */
  failed(reason: unknown): void {
    if (this.#timer !== undefined) return;
    this.#failure = new SandboxUnavailable(reason);
    const waitMs = Math.min(this.#options.firstMs * 2 ** this.#failures, LONGEST_MS);
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
