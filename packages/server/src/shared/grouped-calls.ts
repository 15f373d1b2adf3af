/**
 * Makes one call of many: those that come while a group is under way wait and go together in the next one. A lone call is
 * as fast as ever, as nothing waits for company that is not there already, and groups grow by themselves when there is
 * much to do.
 */
export interface GroupedCallsOptions<Item, Result> {
  /** Results in order; undefined for an item that is to be done alone. When it throws, each item is done alone. */
  together: (items: readonly Item[]) => Promise<readonly (Result | undefined)[]>;
  alone: (item: Item) => Promise<Result>;
  /** Told why a group failed: its items may all succeed alone, and nobody would know. */
  onGroupFailed: (error: unknown) => void;
  /** Items of one group at most. */
  most: number;
  /** After a group of several the next one, unless it is full already, begins so much later: more will come. Default 0. */
  restMs?: number;
}

interface Call<Item, Result> {
  item: Item;
  resolve: (result: Result | Promise<Result>) => void;
}

export class GroupedCalls<Item, Result> {
  readonly #options: GroupedCallsOptions<Item, Result>;
  #waiting: Call<Item, Result>[] = [];
  #running = false;

  constructor(options: GroupedCallsOptions<Item, Result>) {
    this.#options = options;
  }

  call(item: Item): Promise<Result> {
    return new Promise((resolve) => {
      this.#waiting.push({ item, resolve });
      if (this.#running) return;
      this.#running = true;
      // What comes in the same turn of the event loop belongs to the first group.
      setImmediate(() => void this.#run());
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, this.#options.most);
      const results = await this.#together(group.map(({ item }) => item));
      for (const [place, { item, resolve }] of group.entries()) {
        const result = results[place];
        resolve(result === undefined ? this.#options.alone(item) : result);
      }
      const { most, restMs = 0 } = this.#options;
      if (restMs > 0 && group.length > 1 && this.#waiting.length < most) {
        await new Promise((resolve) => setTimeout(resolve, restMs));
      }
    }
    this.#running = false;
  }

  async #together(items: readonly Item[]): Promise<readonly (Result | undefined)[]> {
    try {
      return await this.#options.together(items);
    } catch (error) {
      // One of them may be at fault; each tells for itself.
      this.#options.onGroupFailed(error);
      return [];
    }
  }
}
