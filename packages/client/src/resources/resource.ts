import type { Listing } from '../listing.ts';
import { path, type CallOptions, type Request, type Transport } from '../transport.ts';

const WAIT_SECONDS = 20;

/** Records below one path. */
export class Resource {
  protected readonly transport: Transport;
  protected readonly base: string;

  constructor(transport: Transport, base: string) {
    this.transport = transport;
    this.base = base;
  }

  /** Options other than `signal` and `timeoutMs` are query parameters. */
  protected call<T>(method: string, suffix: string, options: CallOptions, request: Partial<Request> = {}): Promise<T> {
    const { signal, timeoutMs, ...query } = options as CallOptions & NonNullable<Request['query']>;
    return this.transport.data({ method, path: this.base + suffix, query, signal, timeoutMs, ...request });
  }

  protected records<R>(suffix: string, options: CallOptions): Listing<R> {
    return this.transport.list(this.base + suffix, options);
  }

  /** Reads a record until its state is final. `timeoutMs` bounds all of it. */
  protected async poll<R extends { status: string }>(
    id: string,
    { onChange, signal, timeoutMs }: CallOptions & { onChange?: (record: R) => void },
    unfinished: readonly string[],
  ): Promise<R> {
    const end = performance.now() + (timeoutMs ?? 0);
    for (;;) {
      const left = timeoutMs && Math.max(1, end - performance.now());
      const query = { wait: WAIT_SECONDS };
      const record = await this.call<R>('GET', path`/${id}`, { signal, timeoutMs: left }, { query });
      onChange?.(record);
      if (!unfinished.includes(record.status)) return record;
    }
  }
}
