/** Clients that record what the service acknowledged, and the check of those promises. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from './random.ts';
import type { System } from './system.ts';

interface Acknowledged {
  id: string;
  marker: string;
  deleted: boolean;
}

/** A word of letters: codes with digits are also found in parts. */
const markerOf = (number: number): string =>
  `zq${Array.from(String(number), (digit) => 'bcdfghjklm'[Number(digit)]).join('')}x`;

const LONG_TEXT_WORDS = 3_000;
const REQUEST_LIMIT_MS = 60_000;

export class History {
  readonly #system: System;
  readonly #random: Random;
  readonly #documents: Acknowledged[] = [];
  readonly #collection: string;
  #next = 0;

  private constructor(system: System, random: Random, collection: string) {
    this.#system = system;
    this.#random = random;
    this.#collection = collection;
  }

  static async start(system: System, random: Random): Promise<History> {
    const workspace = await system.service.request<{ id: string }>('POST', '/workspaces', { name: 'chaos' });
    const { id } = await system.service.request<{ id: string }>('POST', `/w/${workspace.id}/col`, { name: 'chaos' });
    return new History(system, random, `/w/${workspace.id}/col/${id}`);
  }

  get acknowledged(): number {
    return this.#documents.length;
  }

  /** Uploads and deletes with several clients until the signal is aborted. Failed requests promise nothing. */
  async load(signal: AbortSignal, clients = 4): Promise<void> {
    const client = async (): Promise<void> => {
      while (!signal.aborted) await this.#act().catch(() => delay(100));
    };
    await Promise.all(Array.from({ length: clients }, client));
  }

  async #act(): Promise<void> {
    if (this.#documents.length > 10 && this.#random.next() < 0.1) return this.#delete();
    this.#documents.push(await this.#upload());
  }

  /** Uploads a document; small texts and longer ones have a lane each. */
  async #upload(): Promise<Acknowledged> {
    const number = this.#next++;
    const marker = markerOf(number);
    const content =
      number % 2 === 0 ? `${marker} is here` : `${marker} ${'lorem ipsum dolor '.repeat(LONG_TEXT_WORDS)}`;
    const body = { name: `${number}.md`, contentType: 'text/markdown', content };
    const { id } = await this.#request<{ id: string }>('POST', '/docs/raw', body);
    return { id, marker, deleted: false };
  }

  async #delete(): Promise<void> {
    const document = this.#random.pick(this.#documents);
    await this.#request('DELETE', `/docs/${document.id}`);
    document.deleted = true;
  }

  #request<T>(method: string, url: string, body?: unknown): Promise<T> {
    const limit = delay(REQUEST_LIMIT_MS, undefined, { ref: false }).then(() => {
      throw new Error(`${method} ${url}: no answer within ${REQUEST_LIMIT_MS / 1000} s`);
    });
    return Promise.race([this.#system.service.request<T>(method, `${this.#collection}${url}`, body), limit]);
  }

  /** Uploads a document and waits until it is ready; rejects after `limitMs`. Returns the time it took, in ms. */
  async probe(limitMs: number): Promise<number> {
    const startedAt = performance.now();
    // Recorded in the end, so that no client deletes it before.
    let document: Acknowledged | undefined;
    for (;;) {
      try {
        document ??= await this.#upload();
        const { status } = await this.#request<{ status: string }>('GET', `/docs/${document.id}`);
        if (status === 'ready') {
          this.#documents.push(document);
          return performance.now() - startedAt;
        }
      } catch {
        // Not back yet.
      }
      if (performance.now() - startedAt > limitMs) {
        const readiness = JSON.stringify(await this.#system.service.readiness().catch(String));
        const state = `${readiness}\n${await this.#system.sessions()}`;
        throw new Error(`a new document was not ready ${limitMs / 1000} s after recovery: ${state}`);
      }
      await delay(100);
    }
  }

  /** Waits until every acknowledged document has ended, and returns the broken promises. */
  async check(limitMs: number): Promise<string[]> {
    const faults: string[] = [];
    const until = performance.now() + limitMs;
    for (const document of this.#documents) {
      const fault = await this.#checkDocument(document, until);
      if (fault !== undefined) faults.push(`${document.id}: ${fault}`);
    }
    return faults;
  }

  async #checkDocument({ id, marker, deleted }: Acknowledged, until: number): Promise<string | undefined> {
    const expected = deleted ? 0 : 1;
    for (;;) {
      const { status } = deleted ? { status: 'ready' } : await this.#request<{ status: string }>('GET', `/docs/${id}`);
      if (status === 'failed') return 'failed';
      if (status === 'ready') {
        const search = { query: marker, mode: 'sparse', limit: 20 };
        const { hits } = await this.#request<{ hits: { documentId: string }[] }>('POST', '/search', search);
        const found = new Set(hits.map(({ documentId }) => documentId)).has(id) ? 1 : 0;
        if (found === expected) return undefined;
        return deleted ? 'deleted, and found' : 'ready, and not found';
      }
      if (performance.now() > until) return `still ${status}`;
      await delay(200);
    }
  }
}
