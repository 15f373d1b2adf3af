import type { Listing } from '../listing.ts';
import { path, type CallOptions, type Request, type Transport } from '../transport.ts';

/** The calls that most resources have: create, list, get, update, delete. */
export class Crud<R, Create, Update, Lists extends object, Deletes extends object> {
  protected readonly transport: Transport;
  protected readonly base: string;

  constructor(transport: Transport, base: string) {
    this.transport = transport;
    this.base = base;
  }

  create(body: Create, options: CallOptions = {}): Promise<R> {
    return this.call('POST', '', options, { json: body });
  }

  /** Lists the records, newest first. Iterate it for all of them, or call `page()` for one page. */
  list(options: Lists & CallOptions = {} as Lists): Listing<R> {
    return this.transport.list(this.base, options);
  }

  get(id: string, options: CallOptions = {}): Promise<R> {
    return this.call('GET', path`/${id}`, options);
  }

  update(id: string, changes: Update, options: CallOptions = {}): Promise<R> {
    return this.call('PATCH', path`/${id}`, options, { json: changes });
  }

  /** Deletes a record. Where there is `undelete`, it can be restored unless `purge` erases it permanently. */
  delete(id: string, options: Deletes & CallOptions = {} as Deletes): Promise<R> {
    return this.call('DELETE', path`/${id}`, options);
  }

  /** Options other than `signal` and `timeoutMs` are query parameters. */
  protected call<T>(method: string, suffix: string, options: CallOptions, request: Partial<Request> = {}): Promise<T> {
    const { signal, timeoutMs, ...query } = options as CallOptions & NonNullable<Request['query']>;
    return this.transport.data({ method, path: this.base + suffix, query, signal, timeoutMs, ...request });
  }
}

/** A resource whose deleted records can be restored. */
export class SoftCrud<R, Create, Update, Lists extends object, Deletes extends object> extends Crud<
  R,
  Create,
  Update,
  Lists,
  Deletes
> {
  undelete(id: string, options: CallOptions = {}): Promise<R> {
    return this.call('PUT', path`/${id}/undelete`, options);
  }
}
