/** Workspaces: everything else belongs to one. Only the root key makes and deletes them. */
import type { Kysely } from 'kysely';
import type { Database, WorkspaceRecord } from '../../database/tables.ts';
import { notFound } from '../../errors.ts';
import { enqueuePurge } from '../../queue/enqueue-purge.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import type { ListPage, ListQuery } from '../../shared/list.ts';
import { RecentReads } from '../../shared/recent-reads.ts';
import { newId } from '../../shared/uuid.ts';
import { createDefaultConfigurations } from '../configurations/defaults.ts';
import { WorkspaceRepository } from './repository.ts';

export interface WorkspaceServiceDeps {
  database: Kysely<Database>;
  queue: JobQueue;
  /** Called when a workspace has been deleted. */
  onDeleted: () => void;
}

/** A workspace that another process deleted is gone after this time at the latest. */
const REMEMBERED_MS = 500;

export class WorkspaceService {
  readonly #database: Kysely<Database>;
  readonly #queue: JobQueue;
  readonly #workspaces: WorkspaceRepository;
  readonly #onDeleted: () => void;
  readonly #recent: RecentReads<WorkspaceRecord>;

  constructor(deps: WorkspaceServiceDeps) {
    this.#database = deps.database;
    this.#queue = deps.queue;
    this.#workspaces = new WorkspaceRepository(deps.database);
    this.#onDeleted = deps.onDeleted;
    this.#recent = new RecentReads({ keptMs: REMEMBERED_MS });
  }

  create(name: string): Promise<WorkspaceRecord> {
    return this.#database.transaction().execute(async (transaction) => {
      const record = await new WorkspaceRepository(transaction).insert(newId(), name);
      await createDefaultConfigurations(transaction, record.id);
      return record;
    });
  }

  /** For the check of each request. */
  async exists(workspaceId: string): Promise<boolean> {
    if (this.#recent.peek(workspaceId) !== undefined) return true;
    return (await this.#recent.get(workspaceId, () => this.#workspaces.findById(workspaceId))) !== undefined;
  }

  async get(workspaceId: string): Promise<WorkspaceRecord> {
    const record = await this.#workspaces.findById(workspaceId);
    if (record === undefined) throw notFound();
    return record;
  }

  list(query: ListQuery): Promise<ListPage<WorkspaceRecord>> {
    return this.#workspaces.list(query);
  }

  async rename(workspaceId: string, name: string): Promise<WorkspaceRecord> {
    const record = await this.#workspaces.rename(workspaceId, name);
    if (record === undefined) throw notFound();
    return record;
  }

  /** The workspace, its keys and all that is in it are unreachable at once; a job erases them for good. */
  async delete(workspaceId: string): Promise<WorkspaceRecord> {
    const deleted = await this.#database.transaction().execute(async (transaction) => {
      const record = await new WorkspaceRepository(transaction).markDeleted(workspaceId);
      if (record === undefined) throw notFound();
      await enqueuePurge(transaction, this.#queue, 'purge-workspace', { workspaceId });
      return record;
    });
    this.#recent.forgetAll();
    this.#onDeleted();
    return deleted;
  }
}
