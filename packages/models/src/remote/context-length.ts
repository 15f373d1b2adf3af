/** The context length of a remote model: configured, reported by the server, known by name, or assumed. */
import { ProviderError, networkError, readText, statusError } from './provider-error.ts';
import type { ChatTransport, SdkDialect } from './sdk/sdk-chat-model.ts';

/** A chat waits for the answer, so the server has little time. */
const TIMEOUT_MS = 3_000;
/** A list of several hundred models takes less than a megabyte. */
const MAX_BYTES = 8 * 1024 * 1024;
/** The server may be restarted with another length. */
const KEPT_MS = 600_000;
const RETRIED_AFTER_MS = 60_000;

type Asked = Pick<SdkDialect, 'contextTokens' | 'isContextAssumed' | 'readContextTokens' | 'apiKey'>;

export class ContextLength {
  readonly #dialect: Asked;
  readonly #transport: Pick<ChatTransport, 'outbound' | 'clock'>;
  #reported: number | undefined;
  #validUntil = -Infinity;
  #asking: Promise<void> | undefined;

  constructor(dialect: Asked, transport: Pick<ChatTransport, 'outbound' | 'clock'>) {
    this.#dialect = dialect;
    this.#transport = transport;
  }

  get tokens(): number {
    return this.#reported ?? this.#dialect.contextTokens;
  }

  get isAssumed(): boolean {
    return this.#reported === undefined && this.#dialect.isContextAssumed === true;
  }

  /** Queries the server if its last answer is too old; concurrent callers share the request. Never rejects. */
  async learn(): Promise<void> {
    const { readContextTokens } = this.#dialect;
    if (readContextTokens === undefined || this.#transport.clock.now() < this.#validUntil) return;
    this.#asking ??= this.#ask(readContextTokens).finally(() => (this.#asking = undefined));
    await this.#asking;
  }

  async #ask(readContextTokens: NonNullable<Asked['readContextTokens']>): Promise<void> {
    let keptMs = KEPT_MS;
    try {
      this.#reported = await readContextTokens((url) => this.#read(url));
    } catch (error) {
      // The last known length stays. Chat reports a server that does not answer.
      if (!(error instanceof ProviderError)) throw error;
      keptMs = RETRIED_AFTER_MS;
    }
    this.#validUntil = this.#transport.clock.now() + keptMs;
  }

  async #read(url: string): Promise<unknown> {
    const { outbound, clock } = this.#transport;
    const { apiKey } = this.#dialect;
    const headers = {
      accept: 'application/json',
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    };
    const { signal } = new AbortController();
    try {
      const response = await outbound.request({
        method: 'GET',
        url,
        headers,
        signal,
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
      });
      if (response.status !== 200) throw await statusError(response, apiKey, clock.now());
      return parse(await readText(response, MAX_BYTES));
    } catch (error) {
      throw networkError(error);
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProviderError(200, 'The provider answered something that is not JSON');
  }
}
