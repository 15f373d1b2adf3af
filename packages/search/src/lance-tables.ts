/** A bounded LRU cache of open Lance tables: each handle takes two file descriptors and its caches. */
import type { Connection, Table } from '@lancedb/lancedb';
import { isDamage, isMissingTable, isTransient } from './lance-errors.ts';
import { IndexTableError, IndexUnavailableError } from './search-index.ts';

interface Handle {
  table: Promise<Table>;
  users: number;
}

export class LanceTables {
  readonly #connection: Connection;
  readonly #capacity: number;
  /** Handles by table name, least recently used first. */
  readonly #handles = new Map<string, Handle>();

  constructor(connection: Connection, capacity: number) {
    this.#connection = connection;
    this.#capacity = capacity;
  }

  /**
   * Reads from the table; returns undefined when it does not exist. A failed read is retried once with a new handle,
   * since another process may have removed the version that was being read. Throws `IndexTableError` for a damaged
   * table and `IndexUnavailableError` when the storage fails.
   */
  async read<Result>(name: string, task: (table: Table) => Promise<Result>): Promise<Result | undefined> {
    try {
      return await this.write(name, task);
    } catch (error) {
      if (!isDamage(error)) throw typed(name, error);
      this.forget(name);
    }
    try {
      return await this.write(name, task);
    } catch (error) {
      throw isDamage(error) ? new IndexTableError(name, error) : typed(name, error);
    }
  }

  /** Runs `task` once with the table; returns undefined when it does not exist. */
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

  /** Closes the handle when its last user has finished. */
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

const typed = (name: string, error: unknown): unknown =>
  !(error instanceof IndexTableError) && isTransient(error)
    ? new IndexUnavailableError(`The index table ${name} cannot be reached`, 2, { cause: error })
    : error;

function close(handle: Handle): void {
  handle.table.then(
    (table) => table.close(),
    // The table never opened; the error was reported to the caller.
    () => undefined,
  );
}
