/** Writes the snapshots of tables, one after the other. */
import { CopyError } from '../memory/copy-channel.ts';
import type { Snapshots } from '../memory/snapshots.ts';
import type { ResidentTable } from './resident-table.ts';
import type { RowSource } from './row-source.ts';

interface SnapshotWriterOptions {
  source: RowSource;
  /** Null for no snapshots. */
  snapshots: Snapshots | null;
  /** Returns whether the table is still held. */
  isCurrent: (resident: ResidentTable) => boolean;
  /** Called when the table must be loaded again. */
  onOutdated: (resident: ResidentTable) => void;
  onError: (error: unknown) => void;
}

export class SnapshotWriter {
  readonly #options: SnapshotWriterOptions;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: SnapshotWriterOptions) {
    this.#options = options;
  }

  /** Queues a snapshot of the table if it has changed enough since the last one, and that one is old enough. */
  offer(resident: ResidentTable): void {
    const { snapshots } = this.#options;
    if (snapshots?.takeTurn(resident) === true) this.#queue(resident, snapshots);
  }

  /** Queues a snapshot of the table if it has changed enough since the last one. */
  offerLast(resident: ResidentTable): void {
    const { snapshots } = this.#options;
    if (snapshots !== null && resident.isWorthSaving) this.#queue(resident, snapshots);
  }

  /** Resolves when the queued snapshots are written. */
  settled(): Promise<void> {
    return this.#writing;
  }

  #queue(resident: ResidentTable, snapshots: Snapshots): void {
    this.#writing = this.#writing.then(() => this.#write(resident, snapshots));
  }

  async #write(resident: ResidentTable, snapshots: Snapshots): Promise<void> {
    const { isCurrent, onOutdated, onError } = this.#options;
    if (!isCurrent(resident)) return;
    try {
      if (!(await snapshots.save(resident, () => this.#names(resident, snapshots)))) onOutdated(resident);
    } catch (error) {
      // The table itself is intact, unless its thread has ended, which was reported already.
      if (!(error instanceof CopyError && error.reason !== 'failed')) onError(error);
    }
  }

  /** Returns the tables whose snapshots are kept: those that exist. */
  async #names(resident: ResidentTable, snapshots: Snapshots): Promise<string[]> {
    const names = await snapshots.tables();
    const compared = await this.#options.source.compare(names.map((name) => ({ name, position: null })));
    return [...compared.keys(), resident.table.name];
  }
}
