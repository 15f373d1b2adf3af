/**
 * Shares a bounded resource (processes, job slots, connections, threads) among owners, which are workspaces: the next
 * slot belongs to the owner that holds the fewest, and of equal ones to the one that used the least time lately. So an
 * owner with one task is served after one end at the latest, however much work others queue.
 */

interface Share {
  held: number;
  /** Sum of the start times of the slots held, in ms. */
  startedAt: number;
  /** Time of slots given back, as of `countedAt`; it halves every `HALF_LIFE_MS`. */
  usedMs: number;
  countedAt: number;
}

/** Time after which half of the used time is forgotten, in ms. */
const HALF_LIFE_MS = 30_000;
/** Number of owners above which those without slots and recent use are forgotten. */
const MAX_IDLE_OWNERS = 1_000;

export class FairShares {
  readonly #now: () => number;
  readonly #shares = new Map<string, Share>();

  /** @param now returns the time of a monotonic clock, in ms. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Counts a slot for the owner until the returned function is called. */
  take(owner: string): () => void {
    const startedAt = this.#now();
    const share = this.#shareOf(owner);
    share.held += 1;
    share.startedAt += startedAt;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#forgetTime(share);
      share.held -= 1;
      share.startedAt -= startedAt;
      share.usedMs += this.#now() - startedAt;
      if (this.#shares.size > MAX_IDLE_OWNERS) this.#prune();
    };
  }

  /** Returns the number of slots that the owner holds. */
  heldBy(owner: string): number {
    return this.#shares.get(owner)?.held ?? 0;
  }

  /** Returns the owners that hold a slot. */
  get holders(): string[] {
    return [...this.#shares].flatMap(([owner, { held }]) => (held > 0 ? [owner] : []));
  }

  /** Sorts the owner first that is due a slot before the other. */
  compare(a: string, b: string): number {
    return this.heldBy(a) - this.heldBy(b) || this.#usedMs(a) - this.#usedMs(b);
  }

  #usedMs(owner: string): number {
    const share = this.#shares.get(owner);
    if (share === undefined) return 0;
    const now = this.#now();
    return decayed(share, now) + share.held * now - share.startedAt;
  }

  #shareOf(owner: string): Share {
    const known = this.#shares.get(owner);
    if (known !== undefined) return known;
    const share = { held: 0, startedAt: 0, usedMs: 0, countedAt: this.#now() };
    this.#shares.set(owner, share);
    return share;
  }

  #forgetTime(share: Share): void {
    const now = this.#now();
    share.usedMs = decayed(share, now);
    share.countedAt = now;
  }

  /** Forgets owners whose use no longer matters; of others the ones that hold nothing. */
  #prune(): void {
    for (const [owner, { held }] of this.#shares) {
      if (this.#shares.size <= MAX_IDLE_OWNERS) return;
      if (held === 0) this.#shares.delete(owner);
    }
  }
}

const decayed = ({ usedMs, countedAt }: Share, now: number): number =>
  usedMs * 0.5 ** ((now - countedAt) / HALF_LIFE_MS);
