/** Open Lance tables by name. A handle costs two file descriptors and its caches, so only so many stay open. */
import type { Connection, Table } from '@lancedb/lancedb';
import { isDamage, isMissingTable, isTransient } from './lance-errors.ts';
import { IndexTableError } from './search-index.ts';

interface Handle {
  table: Promise<Table>;
  users: number;
}

export class LanceTables {
  readonly #connection: Connection;
  readonly #capacity: number;
  /** Least recently used first. */
  readonly #handles = new Map<string, Handle>();

  constructor(connection: Connection, capacity: number) {
    this.#connection = connection;
    this.#capacity = capacity;
  }

  /**
   * Reads from the table; undefined when there is none. What fails is tried once more on a fresh handle, for another process
   * may have cleaned up the version that was being read. Damage is an `IndexTableError`.
   */
  async read<Result>(name: string, task: (table: Table) => Promise<Result>): Promise<Result | undefined> {
    try {
      return await this.write(name, task);
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.forget(name);
    }
    try {
      return await this.write(name, task);
    } catch (error) {
      throw isDamage(error) ? new IndexTableError(name, error) : error;
    }
  }

  /** Runs `task` once with the table; undefined when there is none. */
  async write<Result>(name: string, task: (table: Table) => Promise<Result>): Promise<Result | undefined> {
    const handle = this.#handles.get(name) ?? { table: this.#open(name), users: 0 };
    this.#handles.delete(name);
    this.#handles.set(name, handle);
    handle.users += 1;
    try {
      return await task(await handle.table);
    } catch (error) {
      if (!isMissingTable(error)) throw error;
      if (this.#handles.get(name) === handle) this.#handles.delete(name);
      return undefined;
    } finally {
      handle.users -= 1;
      if (handle.users === 0 && this.#handles.get(name) !== handle) close(handle);
      this.#evict();
    }
  }

  /** Closes the handle as soon as its last user is done. */
  forget(name: string): void {
    const handle = this.#handles.get(name);
    this.#handles.delete(name);
    if (handle?.users === 0) close(handle);
  }

  closeAll(): void {
    for (const name of this.#handles.keys()) this.forget(name);
  }

  async #open(name: string): Promise<Table> {
    try {
      return await this.#connection.openTable(name);
    } catch (error) {
      this.#handles.delete(name);
      throw isMissingTable(error) || isTransient(error) ? error : new IndexTableError(name, error);
    }
  }

  #evict(): void {
    for (const [name, handle] of this.#handles) {
      if (this.#handles.size <= this.#capacity) return;
      if (handle.users === 0) this.forget(name);
    }
  }
}

function close(handle: Handle): void {
  handle.table.then(
    (table) => table.close(),
    // It never opened, and whoever asked for it has been told.
    () => undefined,
  );
}
