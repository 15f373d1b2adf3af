/** Hears of every call to a provider, for metrics. */
export interface ProviderCallRecord {
  provider: string;
  operation: 'chat' | 'embed' | 'parse';
  /** `cancelled`: by the caller; `rate_limited`: 429; `unreachable`: no answer. */
  outcome: 'ok' | 'failed' | 'rate_limited' | 'unreachable' | 'cancelled';
  /** From the request to the end of the answer, without waiting for the gate. */
  seconds: number;
  inputTokens: number;
  outputTokens: number;
}

export type ProviderObserver = (call: ProviderCallRecord) => void;
