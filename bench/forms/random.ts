import { Random as SeededRandom } from '../../scripts/chaos/random.ts';

/** Pseudo-random choices that depend only on a seed, so that a set of forms is the same on every machine. */
export class Random extends SeededRandom {
  /** Returns a whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** Returns `count` different items. */
  several<T>(items: readonly T[], count: number): T[] {
    const left = [...items];
    return Array.from({ length: Math.min(count, items.length) }, () => {
      const item = this.pick(left);
      left.splice(left.indexOf(item), 1);
      return item;
    });
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  digits(count: number): string {
    return Array.from({ length: count }, (_, at) => String(this.whole(at === 0 ? 1 : 0, 9))).join('');
  }
}
