/** The clients of a cluster: two workspaces that upload, search and delete; what was acknowledged is checked. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../chaos/random.ts';
import type { Topology } from './topology.ts';

interface Acknowledged {
  id: string;
  marker: string;
  /** Null while it exists; the time of the acknowledged deletion otherwise. */
  deletedAt: number | null;
  /** A deletion without an answer may have been carried out or not. */
  isUncertain: boolean;
}

interface Hit {
  documentId: string;
  text: string;
}

const REQUEST_MS = 40_000;
/** Number of concurrent checks of documents. */
const CHECKS = 4;
/** Share of the steps of a client that upload; the others search, and some delete. */
const UPLOADS = 0.7;
const DELETIONS = 0.1;

/** Failures that clients may see while something is down; other statuses are faults. */
const EXPECTED: ReadonlySet<number> = new Set([429, 502, 503, 507]);

/** The end of a problem that does not pass: a failed document stays failed. */
const FAILED = 'its status is failed';

class Refused extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(`${status} ${text.slice(0, 300)}`);
    this.status = status;
  }
}

/** A word of letters, since codes with digits are also found in parts. */
const markerOf = (name: string, number: number): string =>
  `zq${name}${Array.from(String(number), (digit) => 'bcdfghjklm'[Number(digit)]).join('')}x`;

export class Client {
  readonly #topology: Topology;
  readonly #name: string;
  readonly #url: string;
  readonly #random: Random;
  readonly #documents: Acknowledged[] = [];
  readonly faults = new Set<string>();
  #number = 0;
  searches = 0;
  refused = 0;
  degraded = 0;

  private constructor(topology: Topology, name: string, url: string, random: Random) {
    this.#topology = topology;
    this.#name = name;
    this.#url = url;
    this.#random = random;
  }

  static async create(topology: Topology, name: string, random: Random): Promise<Client> {
    const [api] = topology.apis;
    if (api === undefined) throw new Error('There is no api process');
    const { id: ws } = await api.request<{ id: string }>('POST', '/workspaces', { name });
    const { id: col } = await api.request<{ id: string }>('POST', `/w/${ws}/col`, { name });
    return new Client(topology, name, `/v1/w/${ws}/col/${col}`, random);
  }

  get acknowledged(): number {
    return this.#documents.length;
  }

  get collection(): string {
    return this.#url.slice('/v1'.length);
  }

  async upload(): Promise<void> {
    this.#number += 1;
    const marker = markerOf(this.#name, this.#number);
    const content = `${marker} stands here.\n\n${'Some words about storks and cranes. '.repeat(1 + (this.#number % 40))}`;
    const { id } = await this.#send<{ id: string }>('POST', '/docs/raw', {
      name: `${marker}.txt`,
      content,
      contentType: 'text/plain',
    });
    this.#documents.push({ id, marker, deletedAt: null, isUncertain: false });
  }

  /** Uploads, searches and deletes until the signal; failures of what is down are counted. */
  async load(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const drawn = this.#random.next();
      try {
        if (drawn < UPLOADS || this.#documents.length === 0) await this.upload();
        else if (drawn < UPLOADS + DELETIONS) await this.#delete();
        else await this.#search();
      } catch (error) {
        this.refused += 1;
        if (error instanceof Refused && !EXPECTED.has(error.status)) this.faults.add(error.message);
        await delay(200);
      }
    }
  }

  async #delete(): Promise<void> {
    const document = this.#random.pick(this.#documents);
    if (document.deletedAt !== null || document.isUncertain) return;
    document.isUncertain = true;
    await this.#send('DELETE', `/docs/${document.id}`);
    document.isUncertain = false;
    document.deletedAt = performance.now();
  }

  async #search(): Promise<void> {
    const document = this.#random.pick(this.#documents);
    const startedAt = performance.now();
    const hits = await this.#hits(document.marker);
    this.searches += 1;
    this.#judge(hits, startedAt);
  }

  async #hits(query: string, api = this.#random.pick(this.#topology.apis)): Promise<Hit[]> {
    const answer = await this.#send<{ hits: Hit[]; warnings: unknown[] }>('POST', '/search', { query }, api);
    if (answer.warnings.length > 0) this.degraded += 1;
    return answer.hits;
  }

  /** Notes hits of documents that were deleted before the search, and those of another workspace. */
  #judge(hits: readonly Hit[], startedAt: number): void {
    const known = new Map(this.#documents.map((document) => [document.id, document]));
    for (const { documentId, text } of hits) {
      const deletedAt = known.get(documentId)?.deletedAt ?? null;
      if (deletedAt !== null && deletedAt < startedAt) this.faults.add(`${documentId}: found after its deletion`);
      if (!text.includes(`zq${this.#name}`) && text.includes('zq')) this.faults.add(`${documentId}: a foreign hit`);
    }
  }

  /** Checks all documents by each api process. Searches are repeated until `until`: a fault may just have ended. */
  async check(until: number): Promise<string[]> {
    const rest = [...this.#documents];
    const check = async (): Promise<void> => {
      for (let next = rest.pop(); next !== undefined; next = rest.pop()) await this.#checkDocument(next, until);
    };
    await Promise.all(Array.from({ length: CHECKS }, check));
    return [...this.faults].map((fault) => `${this.#name}: ${fault}`);
  }

  async #checkDocument({ id, marker, deletedAt, isUncertain }: Acknowledged, until: number): Promise<void> {
    if (isUncertain) return;
    for (const api of this.#topology.apis) {
      for (;;) {
        const problem = await this.#problemOf(id, marker, deletedAt !== null, api).catch(String);
        if (problem === null) break;
        if (performance.now() > until || problem.endsWith(FAILED)) {
          this.faults.add(`${id} (${marker}): ${problem}`);
          break;
        }
        await delay(500);
      }
    }
  }

  async #problemOf(
    id: string,
    marker: string,
    isDeleted: boolean,
    api: Topology['apis'][number],
  ): Promise<string | null> {
    const hits = await this.#hits(marker, api);
    const isFound = hits.some(({ documentId, text }) => documentId === id && text.includes(marker));
    if (isDeleted) return isFound ? 'found although it was deleted' : null;
    if (isFound) return null;
    const { status } = await this.#send<{ status: string }>('GET', `/docs/${id}`, undefined, api);
    return `not found, its status is ${status}`;
  }

  async #send<T>(
    method: string,
    url: string,
    body?: unknown,
    api = this.#random.pick(this.#topology.apis),
  ): Promise<T> {
    const response = await fetch(`${api.address}${this.#url}${url}`, {
      method,
      headers: { authorization: `Bearer ${api.rootKey}` },
      signal: AbortSignal.timeout(REQUEST_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Refused(response.status, text);
    return (JSON.parse(text) as { data: T }).data;
  }
}
