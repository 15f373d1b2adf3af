/** A queue with one line per owner. Shares decide whose line is next; a line is in the order of its ranks. */
import type { FairShares } from './fair-shares.ts';

export interface Waiting {
  owner: string;
  /** Smaller is earlier within the owner's line; equal ranks keep the order of arrival. */
  rank: number;
}

export class FairQueue<Item extends Waiting> {
  readonly #shares: FairShares;
  readonly #lines = new Map<string, Item[]>();
  #length = 0;

  constructor(shares: FairShares) {
    this.#shares = shares;
  }

  get length(): number {
    return this.#length;
  }

  add(item: Item): void {
    const line = this.#lines.get(item.owner) ?? [];
    this.#lines.set(item.owner, line);
    let low = 0;
    let high = line.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = line[middle];
      if (other !== undefined && other.rank <= item.rank) low = middle + 1;
      else high = middle;
    }
    line.splice(low, 0, item);
    this.#length += 1;
  }

  /** Removes and returns the next item that `accepts` allows, of the owner that is due first; undefined for none. */
  take(accepts: (item: Item) => boolean = () => true): Item | undefined {
    const item = this.find(accepts);
    if (item !== undefined) this.remove(item);
    return item;
  }

  /** Returns the item that `take` would remove. */
  find(accepts: (item: Item) => boolean): Item | undefined {
    const owners = [...this.#lines.keys()];
    if (owners.length > 1) owners.sort((a, b) => this.#shares.compare(a, b));
    for (const owner of owners) {
      const item = this.#lines.get(owner)?.find(accepts);
      if (item !== undefined) return item;
    }
    return undefined;
  }

  remove(item: Item): boolean {
    const line = this.#lines.get(item.owner) ?? [];
    const at = line.indexOf(item);
    if (at < 0) return false;
    line.splice(at, 1);
    if (line.length === 0) this.#lines.delete(item.owner);
    this.#length -= 1;
    return true;
  }
}
