/** Runs of documents that are processed: each acknowledged one ends, and its idempotency key returns the same run. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Workspace } from './workspace.ts';

const TERMINAL: ReadonlySet<string> = new Set(['done', 'failed']);

export class RunHistory {
  readonly #workspace: Workspace;
  readonly #runs = new Map<string, string>();
  readonly #prefix: string;
  #next = 0;

  /** Idempotency keys begin with `prefix`. */
  constructor(workspace: Workspace, prefix = 'run') {
    this.#workspace = workspace;
    this.#prefix = prefix;
  }

  async act(): Promise<void> {
    const key = `${this.#prefix}-${this.#next++}`;
    const { id } = await this.#send(key);
    this.#runs.set(key, id);
  }

  #send(key: string): Promise<{ id: string }> {
    const form = new FormData();
    form.set('files', new Blob([`# ${key}\n\n${'A line of text.\n'.repeat(500)}`]), 'a.md');
    return this.#workspace.request('POST', `/process?idempotency_key=${key}`, form);
  }

  get acknowledged(): number {
    return this.#runs.size;
  }

  async check(until: number): Promise<string[]> {
    const faults: string[] = [];
    for (const [key, id] of this.#runs) {
      const again = await this.#send(key);
      if (again.id !== id) faults.push(`run ${id}: its key returned another run, ${again.id}`);
      const fault = await this.#checkOne(id, until);
      if (fault !== undefined) faults.push(`run ${id}: ${fault}`);
    }
    return faults;
  }

  async #checkOne(id: string, until: number): Promise<string | undefined> {
    for (;;) {
      const run = await this.#workspace.request<{ status: string; error: { type: string } | null }>(
        'GET',
        `/process/${id}`,
      );
      if (run.status === 'done') return undefined;
      if (TERMINAL.has(run.status)) return `failed: ${run.error?.type ?? ''}`;
      if (performance.now() > until) return `still ${run.status}`;
      await delay(200);
    }
  }
}
