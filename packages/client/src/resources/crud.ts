import type { Listing } from '../listing.ts';
import { path, type CallOptions } from '../transport.ts';
import { Resource } from './resource.ts';

/** The calls that most resources have: create, list, get, update, delete. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each resource has its own types
export class Crud<R, Create, Update, Lists extends object, Deletes extends object> extends Resource {
  create(body: Create, options: CallOptions = {}): Promise<R> {
    return this.call('POST', '', options, { json: body });
  }

  /** Lists the records, newest first. Iterate it for all of them, or call `page()` for one page. */
  list(options: Lists & CallOptions = {} as Lists): Listing<R> {
    return this.records('', options);
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
