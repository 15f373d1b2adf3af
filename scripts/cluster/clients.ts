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
/** Number of documents that one search of the check looks for. */
const CHECKED_TOGETHER = 10;
/** Share of the steps of a client that delete; the others search, or upload while fewer are uploaded than due. */
const DELETIONS = 0.05;
/** Share of the steps that upload while uploads are due. */
const UPLOADS = 0.9;
/** Pause of a client with nothing to upload, so that searches do not take the processors from the workers. */
const SEARCH_PAUSE_MS = 100;

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

/** Returns the code of a connection's failure, or the name of another error. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return error instanceof Error ? error.name : String(error);
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
  /** Number of searches that no api process answered. */
  unanswered = 0;
  refused = 0;
  degraded = 0;

  /** Number of failures by request and reason. */
  readonly failures = new Map<string, number>();

  /** Called at the end of each search. */
  onSearch: (isAnswered: boolean) => void = () => undefined;

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

  /** Uploads as many as `due` names, searches and deletes until the signal; failures of what is down are counted. */
  async load(signal: AbortSignal, due: () => number): Promise<void> {
    while (!signal.aborted) {
      const drawn = this.#random.next();
      const isBehind = this.#documents.length < due();
      try {
        if (isBehind && drawn < UPLOADS) await this.upload();
        else if (this.#documents.length === 0) await delay(SEARCH_PAUSE_MS);
        else if (drawn > 1 - DELETIONS) await this.#delete();
        else await this.#search();
      } catch (error) {
        this.refused += 1;
        const failure = error instanceof Refused ? error.message : codeOf(error);
        this.failures.set(failure, (this.failures.get(failure) ?? 0) + 1);
        if (error instanceof Refused && !EXPECTED.has(error.status)) this.faults.add(error.message);
        await delay(200);
      }
      if (!isBehind) await delay(SEARCH_PAUSE_MS);
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

  /** Searches as behind a load balancer: the other api processes get what one does not answer. */
  async #search(): Promise<void> {
    const document = this.#random.pick(this.#documents);
    const first = this.#random.pick(this.#topology.apis);
    let failure: unknown;
    for (const api of [first, ...this.#topology.apis.filter((each) => each !== first)]) {
      const startedAt = performance.now();
      try {
        this.#judge(await this.#hits(document.marker, api), startedAt);
        this.searches += 1;
        this.onSearch(true);
        return;
      } catch (error) {
        failure = error;
      }
    }
    this.unanswered += 1;
    this.onSearch(false);
    throw failure;
  }

  async #hits(query: string, api: Topology['apis'][number], mode = 'hybrid', limit = 10): Promise<Hit[]> {
    const answer = await this.#send<{ hits: Hit[]; warnings: unknown[] }>(
      'POST',
      '/search',
      { query, mode, limit },
      api,
    );
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

  /**
   * Checks all documents, each by one api process, or by all if each has an index of its own. Searches are repeated
   * until `until`: a fault may just have ended.
   */
  async check(until: number): Promise<string[]> {
    const rest = this.#documents.filter(({ isUncertain }) => !isUncertain);
    const check = async (): Promise<void> => {
      while (rest.length > 0) {
        const group = rest.splice(-CHECKED_TOGETHER);
        for (const document of await this.#notConfirmed(group)) await this.#checkDocument(document, until);
      }
    };
    await Promise.all(Array.from({ length: CHECKS }, check));
    const { indexing, failed } = await this.#settled(until);
    if (indexing > 0) this.faults.add(`${indexing} documents are stuck`);
    if (failed > 0) this.faults.add(`${failed} documents failed`);
    return [...this.faults].map((fault) => `${this.#name}: ${fault}`);
  }

  /** Waits until no document is being processed, those without an acknowledgement included. */
  async #settled(until: number): Promise<{ indexing: number; failed: number }> {
    for (;;) {
      const { documentCounts } = await this.#send<{ documentCounts: { indexing: number; failed: number } }>('GET', '');
      if (documentCounts.indexing === 0 || performance.now() > until) return documentCounts;
      await delay(1_000);
    }
  }

  /** Searches for all of the documents at once, and returns those that are not in the expected state. */
  async #notConfirmed(documents: readonly Acknowledged[]): Promise<readonly Acknowledged[]> {
    const query = documents.map(({ marker }) => marker).join(' ');
    const wrong = new Set<Acknowledged>();
    for (const api of this.#judges()) {
      const hits = await this.#hits(query, api, 'sparse', 100).catch(() => null);
      if (hits === null) return documents;
      for (const document of documents) {
        const isFound = hits.some(
          ({ documentId, text }) => documentId === document.id && text.includes(document.marker),
        );
        if (isFound !== (document.deletedAt === null)) wrong.add(document);
      }
    }
    return [...wrong];
  }

  async #checkDocument({ id, marker, deletedAt }: Acknowledged, until: number): Promise<void> {
    for (const api of this.#judges()) {
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

  /** Returns the api processes that search for a document in the check. */
  #judges(): Topology['apis'] {
    const { apis, searchNodes } = this.#topology;
    return searchNodes.length > 0 ? [this.#random.pick(apis)] : apis;
  }

  async #problemOf(
    id: string,
    marker: string,
    isDeleted: boolean,
    api: Topology['apis'][number],
  ): Promise<string | null> {
    const hits = await this.#hits(marker, api, 'sparse');
    const isFound = hits.some(({ documentId, text }) => documentId === id && text.includes(marker));
    if (isDeleted) return isFound ? 'found although it was deleted' : null;
    if (isFound) return null;
    const { status } = await this.#send<{ status: string }>('GET', `/docs/${id}`, undefined, api);
    return `not found, its status is ${status}`;
  }

  /** Sends a request as a load balancer does: another api process gets it if the first one accepts no connection. */
  async #send<T>(
    method: string,
    url: string,
    body?: unknown,
    api = this.#random.pick(this.#topology.apis),
  ): Promise<T> {
    const others = this.#topology.apis.filter((each) => each !== api);
    for (const each of [api, ...others]) {
      try {
        return await this.#sendTo<T>(each, method, url, body);
      } catch (error) {
        if (codeOf(error) !== 'ECONNREFUSED' || each === others.at(-1)) throw error;
      }
    }
    throw new Error('There is no api process');
  }

  async #sendTo<T>(api: Topology['apis'][number], method: string, url: string, body: unknown): Promise<T> {
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
