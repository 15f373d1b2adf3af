/**
 * How many requests each host may have at once: more while it answers, half as many each time it does not, so that
 * receivers that hang take up little of what there is for all.
 */
const MOST = 64;
const FEWEST = 2;
const AT_FIRST = 16;
/** Hosts that are remembered while nothing is on the way to them. */
const MOST_REMEMBERED = 1000;

interface HostLoad {
  limit: number;
  active: number;
}

export class HostSlots {
  readonly #hosts = new Map<string, HostLoad>();
  #active = 0;

  /** What a host can take that has nothing on the way. */
  readonly slotsForOthers = AT_FIRST;

  get active(): number {
    return this.#active;
  }

  /** How many more each known host can take. */
  free(): Record<string, number> {
    return Object.fromEntries([...this.#hosts].map(([host, { limit, active }]) => [host, Math.max(0, limit - active)]));
  }

  enter(host: string): void {
    const load = this.#hosts.get(host) ?? { limit: AT_FIRST, active: 0 };
    this.#hosts.set(host, load);
    load.active += 1;
    this.#active += 1;
  }

  leave(host: string, answered: boolean): void {
    const load = this.#hosts.get(host);
    if (load === undefined) return;
    load.active -= 1;
    this.#active -= 1;
    load.limit = answered ? Math.min(MOST, load.limit + 1) : Math.max(FEWEST, Math.floor(load.limit / 2));
    if (load.active === 0 && this.#hosts.size > MOST_REMEMBERED) this.#hosts.delete(host);
  }
}
