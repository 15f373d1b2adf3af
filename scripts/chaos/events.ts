/** A viewer of live events that resumes after each cut: it misses nothing and sees a document's states in order. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Workspace } from './workspace.ts';

interface DocumentState {
  status: string;
  revision: number;
  searchableRevision: number | null;
  deleted: boolean;
}

export class EventHistory {
  readonly #workspace: Workspace;
  readonly #stop = new AbortController();
  readonly #last = new Map<string, DocumentState>();
  readonly #faults: string[] = [];
  readonly #watching: Promise<void>;
  #lastId: string | undefined;
  #connections = 0;
  #resets = 0;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
    this.#watching = this.#watch();
  }

  get connections(): number {
    return this.#connections;
  }

  /** Number of resets, after which a viewer reads the lists again. */
  get resets(): number {
    return this.#resets;
  }

  async #watch(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#connect().catch(() => undefined);
      await delay(100);
    }
  }

  async #connect(): Promise<void> {
    const { address, url, key } = this.#workspace;
    const headers = {
      authorization: `Bearer ${key}`,
      ...(this.#lastId === undefined ? {} : { 'last-event-id': this.#lastId }),
    };
    const response = await fetch(`${address}/v1${url}/events`, { headers, signal: this.#stop.signal });
    if (!response.ok || response.body === null) return;
    this.#connections += 1;
    let text = '';
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      text += piece;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) this.#read(block);
    }
  }

  #read(block: string): void {
    const fields = new Map(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
    );
    const type = fields.get('event');
    if (type === 'reset') {
      this.#resets += 1;
      this.#last.clear();
    }
    if (type === 'document') {
      const { id, state } = JSON.parse(fields.get('data') ?? '') as { id: string; state: DocumentState };
      const before = this.#last.get(id);
      if (before !== undefined && isEarlier(state, before))
        this.#faults.push(`events: ${id} went from ${JSON.stringify(before)} back to ${JSON.stringify(state)}`);
      this.#last.set(id, state);
    }
    this.#lastId = fields.get('id') ?? this.#lastId;
  }

  /** Waits until the last event of each document shows its final state, and returns the broken promises. */
  async check(documents: ReadonlyMap<string, { deleted: boolean }>, until: number): Promise<string[]> {
    const missing = (): string[] =>
      [...documents]
        .filter(([id, { deleted }]) => {
          const state = this.#last.get(id);
          // The lists show what changed before a reset; they are checked by themselves.
          if (state === undefined) return this.#resets === 0;
          return state.deleted !== deleted || (!deleted && state.status !== 'ready');
        })
        .map(([id]) => `events: the last of ${id} is ${JSON.stringify(this.#last.get(id) ?? null)}`);
    while (missing().length > 0 && performance.now() < until) await delay(200);
    return [...this.#faults, ...missing()];
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#watching;
  }
}

const isEarlier = (state: DocumentState, before: DocumentState): boolean =>
  state.revision < before.revision || (state.searchableRevision ?? 0) < (before.searchableRevision ?? 0);
