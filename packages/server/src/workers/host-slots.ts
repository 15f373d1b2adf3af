/**
 * Limits the number of concurrent requests per host. The limit grows while the host answers and is halved at each
 * failure, so that receivers that hang use few of the slots that all hosts share.
 */
const MAX_SLOTS = 64;
const MIN_SLOTS = 2;
const INITIAL_SLOTS = 16;
/** Maximum number of hosts without active requests whose limit is kept. */
const MAX_IDLE_HOSTS = 1000;

interface HostLoad {
  limit: number;
  active: number;
}

export class HostSlots {
  readonly #hosts = new Map<string, HostLoad>();
  #active = 0;

  /** Number of free slots of a host without active requests. */
  readonly slotsForOthers = INITIAL_SLOTS;

  get active(): number {
    return this.#active;
  }

  /** Returns the number of free slots of each host with a stored limit. */
  free(): Record<string, number> {
    return Object.fromEntries([...this.#hosts].map(([host, { limit, active }]) => [host, Math.max(0, limit - active)]));
  }

  enter(host: string): void {
    const load = this.#hosts.get(host) ?? { limit: INITIAL_SLOTS, active: 0 };
    this.#hosts.set(host, load);
    load.active += 1;
    this.#active += 1;
  }

  leave(host: string, answered: boolean): void {
    const load = this.#hosts.get(host);
    if (load === undefined) return;
    load.active -= 1;
    this.#active -= 1;
    load.limit = answered ? Math.min(MAX_SLOTS, load.limit + 1) : Math.max(MIN_SLOTS, Math.floor(load.limit / 2));
    if (load.active === 0 && this.#hosts.size > MAX_IDLE_HOSTS) this.#hosts.delete(host);
  }
}
