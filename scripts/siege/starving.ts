/**
 * `npm run prove -- starving`: whether one workspace can starve another. One floods the service with runs of quadratic
 * or long edits, heavy uploads, slow searches and writes, while another uploads a page, searches and processes a page.
 * Bounded in number, size and time.
 */
import { setMaxListeners } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { Quire } from '@quire/client';
import { removeDirectory, startService } from '../../packages/server/test/service-process.ts';
import { makePdf, TestPage } from '../../packages/parse/src/formats/pdf/testing/make-pdf.ts';

interface StarvingOptions {
  /** Which loads to put on the service. Default: all, one after another and then together. */
  loads?: readonly LoadName[];
  /** Longest wait for one result of the quiet workspace, in ms. Default 60,000. */
  patienceMs?: number;
  /** Time that a load runs before the quiet workspace begins, in ms. Default 5,000. */
  settleMs?: number;
  /** Number of measurements of the quiet workspace under each load. Default 3. */
  rounds?: number;
}

interface Measured {
  /** Time until a PDF of one page was ready, the longest of all rounds, in ms; null after `patienceMs`. */
  readyMs: number | null;
  /** 95th percentile of the searches, in ms. */
  searchP95Ms: number;
  failedSearches: number;
  /** Time of a run of one page, the longest of all rounds, in ms; null after `patienceMs`. */
  runMs: number | null;
}

interface StarvingReport {
  alone: Measured;
  under: Partial<Record<LoadName | 'together', Measured>>;
  /** Promises that were not kept. */
  broken: string[];
}

type LoadName = 'edits' | 'uploads' | 'searches';

const MAX_READY_MS = 10_000;
const MAX_SEARCH_FACTOR = 3;
const MAX_RUN_MS = 5_000;
const SEARCHES = 20;
/** Longest wait for a search, in ms. */
const SEARCH_PATIENCE_MS = 10_000;

const WORDS = 'lock gate barge crown winter toll keeper river boat bridge wind rope map fee road harbour tide'.split(
  ' ',
);
const sentence = (seed: number): string =>
  Array.from({ length: 12 }, (_, at) => WORDS[(seed * 7 + at * (1 + (seed % 13))) % WORDS.length]).join(' ');

const onePage = (seed: number): Buffer =>
  makePdf([
    new TestPage().lines(
      60,
      80,
      Array.from({ length: 30 }, (_, line) => sentence(seed * 31 + line)),
    ),
  ]);

const HEAVY_PAGES = 200;
/** About 400 kB of HTML. */
const heavyPage = (seed: number): string =>
  `<h1>${seed}</h1>${Array.from({ length: 4_000 }, (_, at) => `<p>${sentence(seed * 4_000 + at)} ${at * seed}.</p>`).join('\n')}`;

type Workspace = ReturnType<Quire['workspace']>;

/** Puts the loads on the service and measures their effect on a quiet workspace. */
async function starve(
  { address, rootKey }: { address: string; rootKey: string },
  options: StarvingOptions = {},
): Promise<StarvingReport> {
  const { loads = ['edits', 'uploads', 'searches'], patienceMs = 60_000, settleMs = 5_000, rounds = 3 } = options;
  const root = new Quire({ url: address, key: rootKey, retries: 8 });
  // Measured requests are not repeated.
  const measuring = new Quire({ url: address, key: rootKey, retries: 0 });
  const created = await Promise.all(['Quiet', 'Flood'].map((name) => root.workspaces.create({ name })));
  const [quiet, flood] = created.map(({ id }) => measuring.workspace(id));
  if (quiet === undefined || flood === undefined) throw new Error('two workspaces were created');
  try {
    const neighbour = await Neighbour.prepare(quiet, patienceMs, rounds);
    const floods = await Flood.prepare(flood, root.workspace(created[1]?.id ?? ''));
    // The first measurement warms the caches.
    await neighbour.measure();
    const alone = await neighbour.measure();
    const under: StarvingReport['under'] = {};
    for (const load of loads) under[load] = await floods.during([load], settleMs, () => neighbour.measure());
    if (loads.length > 1) under.together = await floods.during(loads, settleMs, () => neighbour.measure());
    return { alone, under, broken: brokenPromises(alone, under) };
  } finally {
    await Promise.all(created.map(({ id }) => root.workspaces.delete(id)));
  }
}

function brokenPromises(alone: Measured, under: StarvingReport['under']): string[] {
  return Object.entries(under).flatMap(([load, { readyMs, searchP95Ms, failedSearches, runMs }]) => [
    ...(readyMs === null || readyMs > MAX_READY_MS
      ? [`${load}: a page was ready after ${readyMs ?? 'too many'} ms`]
      : []),
    ...(searchP95Ms > MAX_SEARCH_FACTOR * alone.searchP95Ms
      ? [`${load}: searches took ${searchP95Ms.toFixed(0)} ms (p95), alone ${alone.searchP95Ms.toFixed(0)} ms`]
      : []),
    ...(failedSearches > 0 ? [`${load}: ${failedSearches} searches failed`] : []),
    ...(runMs === null || runMs > MAX_RUN_MS ? [`${load}: a run took ${runMs ?? 'too many'} ms`] : []),
  ]);
}

/** The workspace that must not notice the other one. */
class Neighbour {
  readonly #quire: Workspace;
  readonly #collectionId: string;
  readonly #patienceMs: number;
  readonly #rounds: number;
  #seed = 1000;

  private constructor(quire: Workspace, collectionId: string, patienceMs: number, rounds: number) {
    this.#quire = quire;
    this.#collectionId = collectionId;
    this.#patienceMs = patienceMs;
    this.#rounds = rounds;
  }

  static async prepare(quire: Workspace, patienceMs: number, rounds: number): Promise<Neighbour> {
    const { id } = await quire.collections.create({ name: 'Quiet' });
    const { documents } = quire.collection(id);
    const texts = Array.from({ length: 40 }, (_, seed) => sentence(seed).concat('. ', sentence(seed + 500)));
    await Promise.all(
      texts.map((content, at) => documents.upload({ name: `${at}.txt`, content }, { metadata: { at } }).ready()),
    );
    return new Neighbour(quire, id, patienceMs, rounds);
  }

  async measure(): Promise<Measured> {
    const ready: (number | null)[] = [];
    const runs: (number | null)[] = [];
    const searches: number[] = [];
    let failedSearches = 0;
    for (let round = 0; round < this.#rounds; round += 1) {
      ready.push(await this.#timed((signal) => this.#upload(signal)));
      for (let at = 0; at < SEARCHES; at += 1) {
        const tookMs = await this.#timed((signal) => this.#search(at, signal), SEARCH_PATIENCE_MS);
        searches.push(tookMs ?? SEARCH_PATIENCE_MS);
        if (tookMs === null) failedSearches += 1;
      }
      runs.push(await this.#timed((signal) => this.#run(signal)));
    }
    const sorted = searches.toSorted((a, b) => a - b);
    const searchP95Ms = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
    return { readyMs: longest(ready), searchP95Ms, failedSearches, runMs: longest(runs) };
  }

  async #upload(signal: AbortSignal): Promise<void> {
    const { documents } = this.#quire.collection(this.#collectionId);
    const content = onePage((this.#seed += 1));
    await documents.upload({ name: `page-${this.#seed}.pdf`, content }, { signal }).ready({ signal });
  }

  async #search(at: number, signal: AbortSignal): Promise<void> {
    const filter = at % 2 === 0 ? { 'metadata.at': { gte: 3 } } : undefined;
    const query = `${WORDS[at % WORDS.length]} ${WORDS[(at * 5 + 3) % WORDS.length]}`;
    await this.#quire.collection(this.#collectionId).search({ query, ...(filter && { filter }) }, { signal });
  }

  async #run(signal: AbortSignal): Promise<void> {
    const content = onePage((this.#seed += 1));
    const { id } = await this.#quire.runs.create([{ name: 'page.pdf', content }], {}, { wait: 60, signal });
    for (;;) {
      const { status } = await this.#quire.runs.get(id, { wait: 60, signal });
      if (status !== 'queued' && status !== 'running') return;
    }
  }

  /** Returns the time of the work in ms; null if it failed or was not done in time. */
  async #timed(work: (signal: AbortSignal) => Promise<void>, patienceMs = this.#patienceMs): Promise<number | null> {
    const startedAt = performance.now();
    try {
      await work(AbortSignal.timeout(patienceMs));
      return performance.now() - startedAt;
    } catch {
      return null;
    }
  }
}

const longest = (times: readonly (number | null)[]): number | null =>
  times.includes(null) ? null : Math.round(Math.max(...times.map(Number)));

/** The workspace that sends as much as it may. */
class Flood {
  readonly #quire: Workspace;
  /** The same workspace with a client that repeats, for what is no load. */
  readonly #patient: Workspace;
  readonly #collectionId: string;
  /** Made before, because this process also measures. */
  readonly #pages = Array.from({ length: HEAVY_PAGES }, (_, seed) => Buffer.from(heavyPage(seed + 1)));

  private constructor(quire: Workspace, patient: Workspace, collectionId: string) {
    this.#quire = quire;
    this.#patient = patient;
    this.#collectionId = collectionId;
  }

  static async prepare(quire: Workspace, patient: Workspace): Promise<Flood> {
    const { id } = await patient.collections.create({ name: 'Flood' });
    const { documents } = patient.collection(id);
    // Within the limit on the metadata of a document.
    const metadata = { long: Array.from({ length: 2_000 }, (_, at) => `${at} ${sentence(at).slice(0, 20)}`) };
    const prepare = async (at: number): Promise<void> =>
      void (await documents.upload({ name: `${at}.txt`, content: sentence(at) }, { metadata }).ready());
    for (let at = 0; at < 200; at += 20) await Promise.all(Array.from({ length: 20 }, (_, more) => prepare(at + more)));
    return new Flood(quire, patient, id);
  }

  /** Runs the work while the loads run, then stops them. */
  async during<T>(loads: readonly LoadName[], settleMs: number, work: () => Promise<T>): Promise<T> {
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    const running = loads.map((load) => this.#start(load, stop.signal));
    try {
      await sleep(settleMs);
      return await work();
    } finally {
      stop.abort();
      await Promise.allSettled(running);
      await this.#clear();
    }
  }

  #start(load: LoadName, signal: AbortSignal): Promise<unknown> {
    if (load === 'edits') return this.#edits(signal);
    return load === 'uploads' ? this.#uploads(signal) : this.#searches(signal);
  }

  /** 24 runs whose output is 20,000 times as long as their input. */
  async #edits(signal: AbortSignal): Promise<void> {
    const replaced = {
      type: 'replaceText' as const,
      find: 'a',
      replace: 'b'.repeat(20_000),
      ignoreCase: false,
      wholeWord: false,
    };
    const editConfig = { operations: [replaced] };
    await Promise.all(
      Array.from({ length: 24 }, (_, at) =>
        this.#quire.runs.create(
          [{ name: at % 2 === 0 ? 'a.txt' : 'a.html', content: 'a'.repeat(20_000 + at) }],
          { editConfig },
          { signal },
        ),
      ),
    );
  }

  /** 200 uploads of 400 kB of HTML, and what they cost to parse, to embed and to index. */
  async #uploads(signal: AbortSignal): Promise<void> {
    const { documents } = this.#quire.collection(this.#collectionId);
    let next = 0;
    const send = async (): Promise<void> => {
      for (let at = next++; at < HEAVY_PAGES && !signal.aborted; at = next++)
        await documents.upload({ name: `heavy-${at}.html`, content: this.#pages[at] ?? '' }, { signal });
    };
    await Promise.allSettled(Array.from({ length: 8 }, send));
  }

  /** 30 clients that search with a filter that reads the metadata of every document hundreds of times. */
  async #searches(signal: AbortSignal): Promise<void> {
    const search = async (client: number): Promise<void> => {
      for (let count = 0; !signal.aborted; count += 1) {
        const conditions = Array.from({ length: 190 }, (_, at) => ({
          not: { [`metadata.long`]: { gt: `z${at}-${client}-${count}` } },
        }));
        const request = { query: 'lock gate', filter: { and: conditions } };
        await this.#quire
          .collection(this.#collectionId)
          .search(request, { signal, timeoutMs: 40_000 })
          .catch(() => sleep(20));
      }
    };
    await Promise.all(Array.from({ length: 30 }, (_, client) => search(client)));
  }

  /** Deletes the documents and cancels the runs that a load has left, so that the next one begins at rest. */
  async #clear(): Promise<void> {
    for (const status of ['queued', 'running'] as const) {
      for await (const { id } of this.#patient.runs.list({ status }))
        await this.#patient.runs.cancel(id).catch(() => undefined);
    }
    const { documents } = this.#patient.collection(this.#collectionId);
    for await (const { id, name } of documents.list({ status: 'indexing' }))
      if (name.startsWith('heavy-')) await documents.delete(id).catch(() => undefined);
  }
}

async function main(): Promise<void> {
  const service = await startService({ env: { QUIRE_HOST: '127.0.0.1' } });
  try {
    const { alone, under, broken } = await starve({ address: service.address, rootKey: service.rootKey });
    console.table({ alone, ...under });
    for (const promise of broken) console.log(`BROKEN ${promise}`);
    if (broken.length > 0) process.exitCode = 1;
  } finally {
    await service.stop();
    removeDirectory(service.dataDir);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
