/** Describes one call to a provider, for metrics. */
export interface ProviderCallRecord {
  provider: string;
  operation: 'chat' | 'embed' | 'parse' | 'rerank';
  /** `cancelled`: by the caller; `rate_limited`: 429; `unreachable`: no response. */
  outcome: 'ok' | 'failed' | 'rate_limited' | 'unreachable' | 'cancelled';
  /** Time from the request to the end of the response, without the wait at the rate limiter. */
  seconds: number;
  inputTokens: number;
  outputTokens: number;
}

export type ProviderObserver = (call: ProviderCallRecord) => void;
