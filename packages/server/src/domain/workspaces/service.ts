/** Workspaces, which own all other resources. Only the root key creates and deletes them. */
import type { Kysely } from 'kysely';
import { auditDetails, auditResource } from '../../database/pending-audit.ts';
import type { ChatSharing, Database, WorkspaceRecord } from '../../database/tables.ts';
import { notFound } from '../../errors.ts';
import { enqueuePurge } from '../../queue/enqueue-purge.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import type { ListPage, ListQuery } from '../../shared/list.ts';
import { RecentReads } from '../../shared/recent-reads.ts';
import { newId } from '../../shared/uuid.ts';
import { createDefaultConfigurations } from '../configurations/defaults.ts';
import { WorkspaceRepository } from './repository.ts';

export interface WorkspaceChanges {
  name?: string | undefined;
  chatSharing?: ChatSharing | undefined;
}

export interface WorkspaceServiceDeps {
  database: Kysely<Database>;
  queue: JobQueue;
  /** Runs after a workspace was deleted. */
  onDeleted: () => void;
}

/** Lifetime of a cache entry, in ms: the maximum delay until another process's deletion takes effect. */
const CACHE_MS = 500;

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
    this.#recent = new RecentReads({ keptMs: CACHE_MS });
  }

  create(name: string): Promise<WorkspaceRecord> {
    const id = newId();
    auditResource('workspace', id);
    return this.#database.transaction().execute(async (transaction) => {
      const record = await new WorkspaceRepository(transaction).insert(id, name);
      await createDefaultConfigurations(transaction, record.id);
      return record;
    });
  }

  /** Returns whether the workspace exists; called for every request. */
  async exists(workspaceId: string): Promise<boolean> {
    return (await this.#findRecent(workspaceId)) !== undefined;
  }

  /** Returns whether keys see the chats of others; a change takes effect in other processes after 0.5 s at most. */
  async chatSharing(workspaceId: string): Promise<ChatSharing> {
    return (await this.#findRecent(workspaceId))?.chat_sharing ?? 'private';
  }

  async #findRecent(workspaceId: string): Promise<WorkspaceRecord | undefined> {
    return (
      this.#recent.peek(workspaceId) ??
      (await this.#recent.get(workspaceId, () => this.#workspaces.findById(workspaceId)))
    );
  }

  async get(workspaceId: string): Promise<WorkspaceRecord> {
    const record = await this.#workspaces.findById(workspaceId);
    if (record === undefined) throw notFound();
    return record;
  }

  list(query: ListQuery): Promise<ListPage<WorkspaceRecord>> {
    return this.#workspaces.list(query);
  }

  async update(workspaceId: string, { name, chatSharing }: WorkspaceChanges): Promise<WorkspaceRecord> {
    if (chatSharing !== undefined) auditDetails({ chatSharing });
    const changes = {
      ...(name !== undefined && { name }),
      ...(chatSharing !== undefined && { chat_sharing: chatSharing }),
    };
    const record = await this.#database
      .transaction()
      .execute((transaction) => new WorkspaceRepository(transaction).update(workspaceId, changes));
    this.#recent.forgetAll();
    if (record === undefined) throw notFound();
    return record;
  }

  /** Makes the workspace with its keys and resources unreachable at once; a job erases them. */
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
