/**
 * A bounded resource, such as bytes of memory, that callers share without reserved parts. A workspace may hold as much
 * as it leaves free for the others, and a key as much as it leaves free for the other keys of its workspace: alone, a
 * key gets a third. The first demand of a key is met where it leaves as much as it takes, and that of a workspace
 * wherever there is room, so that others always find some.
 *
 * A demand without room waits. Demands of a key are met in their order; the key that holds least comes first.
 */

export interface Holder {
  /** Id of the workspace; empty for none. */
  workspaceId: string;
  keyId: string;
}

/** The use that leaves no room: the caller's own, or that of all. */
export type Shortage = 'own' | 'all';

/** A demand waited too long, or too many demands of its key were waiting. */
export class BudgetExhausted extends Error {
  override readonly name = 'BudgetExhausted';
  readonly shortage: Shortage;

  constructor(shortage: Shortage) {
    super(shortage === 'own' ? 'The share of this key is in use' : 'All of the budget is in use');
    this.shortage = shortage;
  }
}

/** The part of a budget that a request holds. */
export interface Share {
  readonly units: number;
  /** Resolves when the share has grown by `units`; rejects with `BudgetExhausted`. */
  grow(units: number): Promise<void> | void;
  /** Sets the units without waiting, because they are in use already; at most half of what is free is added. */
  settle(units: number): void;
  release(): void;
}

export interface BudgetOptions {
  total: number;
  /** Time in ms after which a demand is refused while no demand of its key is met. */
  waitMs: number;
  /** Maximum number of waiting demands of a key. */
  maxWaiting: number;
}

interface Account {
  workspaceId: string;
  used: number;
  waiting: Demand[];
  timer: NodeJS.Timeout | undefined;
}

interface Demand {
  share: HeldShare;
  units: number;
  resolve: () => void;
  reject: (error: Error) => void;
}

export class FairBudget {
  readonly #options: BudgetOptions;
  readonly #accounts = new Map<string, Account>();
  readonly #workspaces = new Map<string, number>();
  /** Accounts with waiting demands. */
  readonly #queued = new Set<Account>();
  #used = 0;

  constructor(options: BudgetOptions) {
    this.#options = options;
  }

  get used(): number {
    return this.#used;
  }

  get free(): number {
    return this.#options.total - this.#used;
  }

  /** Opens an empty share; `release` must be called. */
  open(holder: Holder): Share {
    return new HeldShare(this, nameOf(holder), holder.workspaceId);
  }

  /** Meets the demand at once, or waits. */
  grow(share: HeldShare, units: number): Promise<void> | void {
    const account = this.#accountOf(share);
    const needed = Math.min(units, Math.max(0, this.#options.total - share.units));
    if (account.waiting.length === 0 && this.#fits(account, needed)) {
      this.add(share, units);
      return;
    }
    if (account.waiting.length >= this.#options.maxWaiting) throw new BudgetExhausted(shortageOf(account));
    return new Promise((resolve, reject) => {
      account.waiting.push({ share, units, resolve, reject });
      this.#queued.add(account);
      account.timer ??= setTimeout(() => this.#refuse(account), this.#options.waitMs).unref();
    });
  }

  /** Adds units to a share, which may be negative, and meets the demands for which there is room then. */
  add(share: HeldShare, units: number): void {
    const account = this.#accountOf(share);
    share.units += units;
    account.used += units;
    this.#used += units;
    this.#workspaces.set(account.workspaceId, (this.#workspaces.get(account.workspaceId) ?? 0) + units);
    if (units < 0) this.#meetDemands();
    this.#forget(share.name, account);
  }

  /** Drops the demands of a share that is released while it waits. */
  withdraw(share: HeldShare): void {
    const account = this.#accounts.get(share.name);
    if (account === undefined) return;
    const left = account.waiting.filter((demand) => demand.share !== share);
    if (left.length === account.waiting.length) return;
    for (const demand of account.waiting) if (demand.share === share) demand.reject(new BudgetExhausted('own'));
    account.waiting = left;
    if (left.length === 0) this.#leaveQueue(account);
  }

  #fits(account: Account, units: number): boolean {
    const free = this.#options.total - this.#used - units;
    if (free < 0) return false;
    const ofWorkspace = this.#workspaces.get(account.workspaceId) ?? 0;
    if (account.used === 0) return ofWorkspace === 0 || units <= free;
    return ofWorkspace + units <= free && account.used + units <= free - ofWorkspace - units;
  }

  #meetDemands(): void {
    for (let met = this.#queued.size > 0; met;) {
      met = false;
      const order = [...this.#queued].toSorted((a, b) => a.used - b.used);
      for (const account of order) {
        const demand = account.waiting[0];
        if (demand === undefined || !this.#fits(account, Math.min(demand.units, this.#options.total))) continue;
        account.waiting.shift();
        account.timer?.refresh();
        if (account.waiting.length === 0) this.#leaveQueue(account);
        this.add(demand.share, demand.units);
        demand.resolve();
        met = true;
        break;
      }
    }
  }

  #refuse(account: Account): void {
    const refused = account.waiting;
    account.waiting = [];
    this.#leaveQueue(account);
    for (const { reject } of refused) reject(new BudgetExhausted(shortageOf(account)));
  }

  #leaveQueue(account: Account): void {
    clearTimeout(account.timer);
    account.timer = undefined;
    this.#queued.delete(account);
  }

  #accountOf({ name, workspaceId }: HeldShare): Account {
    const known = this.#accounts.get(name);
    if (known !== undefined) return known;
    const account: Account = { workspaceId, used: 0, waiting: [], timer: undefined };
    this.#accounts.set(name, account);
    return account;
  }

  #forget(name: string, account: Account): void {
    if (account.used > 0 || account.waiting.length > 0) return;
    this.#accounts.delete(name);
    if (this.#workspaces.get(account.workspaceId) === 0) this.#workspaces.delete(account.workspaceId);
  }
}

const nameOf = ({ workspaceId, keyId }: Holder): string => `${workspaceId}/${keyId}`;

const shortageOf = ({ used }: Account): Shortage => (used > 0 ? 'own' : 'all');

class HeldShare implements Share {
  readonly #budget: FairBudget;
  readonly name: string;
  readonly workspaceId: string;
  units = 0;
  #isReleased = false;

  constructor(budget: FairBudget, name: string, workspaceId: string) {
    this.#budget = budget;
    this.name = name;
    this.workspaceId = workspaceId;
  }

  grow(units: number): Promise<void> | void {
    if (units > 0 && !this.#isReleased) return this.#budget.grow(this, units);
  }

  settle(units: number): void {
    if (this.#isReleased || units === this.units) return;
    // These units cannot be refused any more, but they must not keep others from the rest.
    const added = Math.min(units - this.units, Math.max(0, Math.floor(this.#budget.free / 2)));
    this.#budget.add(this, added);
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#budget.withdraw(this);
    if (this.units !== 0) this.#budget.add(this, -this.units);
  }
}
