/** Disjoint sets of cell indexes (union to the smaller root, with path halving). */
export class CellGroups {
  readonly #parents: Uint32Array;

  constructor(size: number) {
    this.#parents = Uint32Array.from({ length: size }, (_, index) => index);
  }

  rootOf(index: number): number {
    let current = index;
    for (;;) {
      const parent = this.#parents[current] ?? current;
      if (parent === current) return current;
      const grandparent = this.#parents[parent] ?? parent;
      this.#parents[current] = grandparent;
      current = grandparent;
    }
  }

  join(a: number, b: number): void {
    const [rootA, rootB] = [this.rootOf(a), this.rootOf(b)];
    if (rootA !== rootB) this.#parents[Math.max(rootA, rootB)] = Math.min(rootA, rootB);
  }
}
