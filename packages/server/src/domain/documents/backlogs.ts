/**
 * How many unfinished documents a workspace has, as the priorities of its jobs need it: counted at most so often, and in
 * between this process's own additions are added. Counting 10,000 rows at every upload took 2 ms of each.
 */
import type { Kysely } from 'kysely';
import type { Database } from '../../database/tables.ts';
import { DocumentRepository } from './repository.ts';

/** Priority stops growing here: behind so large a backlog, a few more do not matter. */
export const BACKLOG_CAP = 10_000;
const COUNTED_FOR_MS = 250;
const MOST_REMEMBERED = 10_000;

interface Backlog {
  documents: number;
  countedAt: number;
}

export class Backlogs {
  readonly #database: Kysely<Database>;
  readonly #now: () => number;
  readonly #known = new Map<string, Backlog>();

  constructor(database: Kysely<Database>, now: () => number = () => performance.now()) {
    this.#database = database;
    this.#now = now;
  }

  /** The backlog before these documents are added to it. */
  async add(workspaceId: string, documents: number): Promise<number> {
    const backlog = await this.#find(workspaceId);
    const before = backlog.documents;
    backlog.documents += documents;
    return before;
  }

  async #find(workspaceId: string): Promise<Backlog> {
    const known = this.#known.get(workspaceId);
    if (known !== undefined && this.#now() - known.countedAt < COUNTED_FOR_MS) return known;
    const countedAt = this.#now();
    const documents = await new DocumentRepository(this.#database).backlog(workspaceId, BACKLOG_CAP);
    if (this.#known.size >= MOST_REMEMBERED) this.#known.clear();
    const backlog = { documents, countedAt };
    this.#known.set(workspaceId, backlog);
    return backlog;
  }
}
