/**
 * A well-behaved client with a workspace and key of its own: again and again it uploads a small text, searches it and
 * runs a module on it. None of its requests may be refused or fail.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

/** Pause between two rounds: the neighbour is a light user. */
const PAUSE_MS = 500;
const WAIT_SECONDS = 60;
const TIMEOUT_MS = 120_000;

export interface RoundTimes {
  phase: string;
  uploadMs: number;
  searchMs: number;
  runMs: number;
}

export class Neighbour {
  readonly rounds: RoundTimes[] = [];
  /** Calls that were refused or failed, with their phase. */
  readonly refusals: string[] = [];
  phase = 'idle';
  readonly #url: string;
  readonly #key: string;
  readonly #workspace: string;
  readonly #collection: string;
  #count = 0;

  constructor(place: { url: string; key: string; workspace: string; collection: string }) {
    this.#url = place.url;
    this.#key = place.key;
    this.#workspace = `/v1/w/${place.workspace}`;
    this.#collection = `${this.#workspace}/col/${place.collection}`;
  }

  async live(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.round();
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async round(): Promise<void> {
    const { phase } = this;
    this.#count += 1;
    const word = `neighbour${this.#count}`;
    const document = { name: `${word}.txt`, content: `A note about ${word}.`, contentType: 'text/plain' };
    const form = new FormData();
    form.append('files', new Blob([document.content]), document.name);
    form.append('summaryConfig', JSON.stringify({ length: 'short' }));
    const uploadMs = await this.#call(`${this.#collection}/docs/raw?wait=${WAIT_SECONDS}`, JSON.stringify(document), {
      expected: '"status":"ready"',
    });
    const searchMs = await this.#call(`${this.#collection}/search`, JSON.stringify({ query: word, limit: 1 }), {
      expected: `${word}.txt`,
    });
    const runMs = await this.#call(`${this.#workspace}/process?wait=${WAIT_SECONDS}`, form, {
      expected: '"status":"done"',
    });
    this.rounds.push({ phase, uploadMs, searchMs, runMs });
  }

  /** Returns the time of the call in ms; notes a refusal unless it succeeds with the text. */
  async #call(path: string, body: string | FormData, { expected }: { expected: string }): Promise<number> {
    const startedAt = performance.now();
    const name = path.slice(this.#workspace.length);
    try {
      const headers = { authorization: `Bearer ${this.#key}` };
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await fetch(this.#url + path, { method: 'POST', headers, body, signal });
      const text = await response.text();
      if (!response.ok || !text.includes(expected)) {
        this.refusals.push(`${this.phase}: POST ${name}: ${response.status} ${text.slice(0, 200)}`);
      }
    } catch (error) {
      this.refusals.push(`${this.phase}: POST ${name}: ${inspect(error, { depth: 1 }).slice(0, 300)}`);
    }
    return performance.now() - startedAt;
  }
}
