/** One crawl of a site: visits pages breadth first and yields them in pages of a listing. */
import { createHash } from 'node:crypto';
import { AddressRefused, CredentialsRefused, ListingFailed, SourceUnavailable } from '../../connector-error.ts';
import type { ConnectorContext, ListingPage, SkipReason, SourceEntry } from '../../connector.ts';
import { MAX_RESPONSE_BYTES, statusError, type SourceResponse } from '../../http/http-source.ts';
import type { WebConfig } from './config.ts';
import { Frontier, scanAll, type Visit } from './frontier.ts';
import { knownOf, KNOWN, knownKey, type KnownPage } from './known-page.ts';
import { canonicalOfHeader, readDirectives, readPage, type PageContent } from './page-content.ts';
import { readContent } from './page-version.ts';
import type { SiteClient } from './site-client.ts';
import { extensionOf } from './extensions.ts';
import { readSeeds, visitsOf } from './seeds.ts';
import { nameOf, normalUrl, type UrlScope } from './url-rules.ts';

const MAX_REDIRECTS = 5;
/** Number of requests in a row that fail before the host counts as unavailable. */
const MAX_FAILURES = 3;
/** Number of visits, and time in milliseconds, after which the progress is stored even if a page is not full. */
const VISITS_PER_PAGE = 100;
const PAGE_MS = 10_000;
/** Key of the state with a hash of the configuration. */
const SETTINGS = 'settings';

/** Result of a visit: an entry of the listing, with the failure of a page that could not be read; or nothing. */
type Outcome = { entry: SourceEntry; failure?: Error } | null;

export class Crawl {
  readonly #config: WebConfig;
  readonly #context: ConnectorContext;
  readonly #client: SiteClient;
  readonly #scope: UrlScope;
  /** Changes of known pages that the next page stores. */
  #changes: Record<string, string | null> = {};
  /** Known pages that answered that they are gone or elsewhere. */
  #removed: { path: string }[] = [];
  /** Failures in a row by host. */
  readonly #failures = new Map<string, number>();
  #settings = '';
  #isSameConfig = true;

  constructor(config: WebConfig, context: ConnectorContext, client: SiteClient, scope: UrlScope) {
    this.#config = config;
    this.#context = context;
    this.#client = client;
    this.#scope = scope;
  }

  async *pages(resumeToken: string | null, signal: AbortSignal): AsyncGenerator<ListingPage> {
    const { state, maxPageEntries } = this.#context;
    const { maxPages } = this.#config;
    await this.#compareConfig();
    const frontier =
      resumeToken === null
        ? await Frontier.begin(state, maxPages)
        : await Frontier.resume(state, tokenOf(resumeToken).crawl, maxPages);
    let visited = resumeToken === null ? 0 : tokenOf(resumeToken).visited;
    if (resumeToken === null) for (const visit of await this.#seeds(signal)) frontier.add(visit);
    let entries: SourceEntry[] = [];
    let visits = 0;
    let since = performance.now();
    for (;;) {
      if (frontier.isEmpty) await this.#addKnown(frontier);
      const visit = visited < maxPages ? frontier.take() : null;
      if (visit === null) break;
      const outcome = await this.#visit(visit, frontier, signal);
      visits += 1;
      if (outcome !== null) {
        entries.push(outcome.entry);
        if (outcome.entry.skip === undefined) visited += 1;
      }
      const isDue = visits >= VISITS_PER_PAGE || performance.now() - since >= PAGE_MS;
      if (entries.length < maxPageEntries && !isDue) continue;
      const changes = { ...this.#takeChanges(), ...frontier.takeChanges() };
      yield { ...page(entries, `${frontier.crawl} ${visited}`), removed: this.#takeRemoved(), state: changes };
      entries = [];
      visits = 0;
      since = performance.now();
    }
    const isWhole = frontier.isEmpty;
    const settings = this.#context.isDryRun === true ? {} : { [SETTINGS]: this.#settings };
    const changes = { ...this.#takeChanges(), ...(await frontier.end(state)), ...settings };
    const removed = this.#takeRemoved();
    yield { ...page(entries, null), completeFolders: isWhole ? [''] : [], removed, state: changes };
  }

  /** Returns the first paths that a crawl finds, and throws what would stop it. */
  async sample(count: number, signal: AbortSignal): Promise<readonly string[]> {
    const frontier = await Frontier.begin(this.#context.state, this.#config.maxPages);
    const paths: string[] = [];
    const seeds = await this.#seeds(signal);
    for (const visit of seeds) frontier.add(visit);
    let failure: unknown = null;
    for (let visits = 0; visits < count && paths.length < count; visits += 1) {
      const visit = frontier.take();
      if (visit === null) break;
      try {
        const outcome = await this.#visit(visit, frontier, signal);
        if (outcome?.failure !== undefined) failure ??= outcome.failure;
        else if (outcome !== null && outcome.entry.skip === undefined) paths.push(outcome.entry.path);
      } catch (error) {
        failure ??= error;
        if (error instanceof CredentialsRefused || error instanceof AddressRefused) throw error;
      }
    }
    if (paths.length === 0 && failure !== null) throw failure as Error;
    return paths;
  }

  /** Returns whether the start of the crawl is refused, so that the credentials and not one page are the cause. */
  async isRefused(signal: AbortSignal): Promise<boolean> {
    const status = await this.startStatus(signal);
    return status === 401 || status === 403;
  }

  /** Returns how the first address of the configuration answers; null without one. */
  async startStatus(signal: AbortSignal): Promise<number | null> {
    const [first] = [...this.#config.startUrls, ...this.#config.sitemaps];
    if (first === undefined) return null;
    const response = await this.#client.get(new URL(first), MAX_RESPONSE_BYTES, signal);
    response.cancel();
    return response.status;
  }

  #seeds(signal: AbortSignal): Promise<Visit[]> {
    return readSeeds(this.#config, this.#client, this.#scope, signal);
  }

  async #compareConfig(): Promise<void> {
    const { startUrls, sitemaps, maxDepth, allowedHosts } = this.#config;
    const text = JSON.stringify([startUrls, sitemaps, maxDepth, allowedHosts]);
    this.#settings = createHash('sha256').update(text).digest('hex');
    const stored = await this.#context.state.get(SETTINGS);
    this.#isSameConfig = stored === null || stored === this.#settings;
  }

  #visitOf(address: string, base: string, depth: number, more: Partial<Visit> = {}): Visit[] {
    return visitsOf(this.#scope, address, base, depth, more);
  }

  /** Adds the pages of earlier crawls that this one did not reach by links. */
  async #addKnown(frontier: Frontier): Promise<void> {
    for await (const [key, value] of scanAll(this.#context.state, KNOWN)) {
      const path = key.slice(KNOWN.length);
      if (frontier.hasSeen(path) || key in this.#changes) continue;
      const { url, depth } = knownOf(value);
      if (this.#scope.contains(new URL(url))) frontier.add({ url, path, depth });
    }
  }

  async #visit(visit: Visit, frontier: Frontier, signal: AbortSignal): Promise<Outcome> {
    const url = new URL(visit.url);
    const known = await this.#known(visit.path);
    try {
      if (!(await this.#client.mayRead(url, signal))) return this.#robots(visit, url, known);
      const response = await this.#client.get(url, this.#context.maxFileBytes, signal, this.#validators(known));
      const failure = failureOf(response);
      if (failure !== null) {
        response.cancel();
        throw failure;
      }
      this.#failures.delete(url.host);
      return await this.#read(visit, url, known, response, frontier, signal);
    } catch (error) {
      if (!(error instanceof SourceUnavailable)) throw error;
      return this.#unavailable(visit, url, known, error, frontier);
    }
  }

  async #read(
    visit: Visit,
    url: URL,
    known: KnownPage | null,
    response: SourceResponse,
    frontier: Frontier,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { status } = response;
    if (status === 200) return this.#found(visit, url, known, response, frontier);
    response.cancel();
    if (status === 304 && known !== null) return this.#keep(visit, { ...known, missing: 0, depth: visit.depth });
    if (status >= 300 && status < 400) return this.#redirect(visit, url, known, response, frontier);
    if (status === 401 || status === 403) {
      const maybeCredentials = visit.depth === 0 || status === 401;
      if (maybeCredentials && (await this.isRefused(signal))) throw statusError(response);
      return this.#unreadable(visit, url, known, `http ${status}`, statusError(response));
    }
    if (status !== 404 && status !== 410) {
      return this.#unreadable(visit, url, known, `http ${status}`, statusError(response));
    }
    if (this.#isOnlyStart(visit)) throw new ListingFailed('', `${url.href} answered with HTTP ${status}`);
    if (known === null) return null;
    // The second time in a row: the page is not listed any more.
    if (known.missing > 0) return this.#remove(visit, known);
    return this.#keep(visit, { ...known, missing: 1 });
  }

  async #found(
    visit: Visit,
    url: URL,
    known: KnownPage | null,
    response: SourceResponse,
    frontier: Frontier,
  ): Promise<Outcome> {
    const { headers } = response;
    const contentType = headers['content-type'] ?? '';
    const { version, page: bytes } = await readContent(response);
    if (bytes === null) response.cancel();
    const content = bytes === null ? null : readPage(bytes, contentType);
    const directives = readDirectives(String(headers['x-robots-tag'] ?? ''));
    if (content !== null && !directives.nofollow && !content.nofollow) this.#follow(visit, url, content, frontier);
    if (directives.noindex || content?.noindex === true) {
      return this.#skip(visit, { type: 'noindex', message: 'the page asks not to be indexed' });
    }
    const canonical = canonicalOfHeader(String(headers.link ?? '')) ?? content?.canonical ?? null;
    if (canonical !== null && visit.isCanonical !== true) {
      const [target] = this.#visitOf(canonical, url.href, visit.depth, { isCanonical: true });
      if (target !== undefined && target.path !== visit.path) {
        frontier.add(target);
        return this.#remove(visit, known);
      }
    }
    const modified = new Date(headers['last-modified'] ?? Number.NaN);
    return this.#keep(visit, {
      url: url.href,
      version,
      etag: headers.etag ?? null,
      modified: headers['last-modified'] ?? null,
      missing: 0,
      depth: visit.depth,
      name: nameOf(url, extensionOf(contentType)),
      time: Number.isNaN(modified.getTime()) ? null : modified.getTime(),
    });
  }

  #follow(visit: Visit, url: URL, content: PageContent, frontier: Frontier): void {
    if (visit.depth >= this.#config.maxDepth) return;
    const base = content.base === null ? url.href : (normalUrl(content.base, url.href)?.href ?? url.href);
    for (const link of content.links) {
      for (const next of this.#visitOf(link, base, visit.depth + 1)) frontier.add(next);
    }
  }

  /** A known page stays while it redirects temporarily: to a login or to a notice, for example. */
  #redirect(visit: Visit, url: URL, known: KnownPage | null, response: SourceResponse, frontier: Frontier): Outcome {
    const { location } = response.headers;
    const redirects = (visit.redirects ?? 0) + 1;
    const [target] = this.#visitOf(location ?? '', url.href, visit.depth, { redirects });
    if (target === undefined && this.#isOnlyStart(visit)) {
      throw new ListingFailed('', `${url.href} redirects to an address that is not allowed: ${location ?? 'none'}`);
    }
    if (target !== undefined && redirects <= MAX_REDIRECTS) frontier.add(target);
    if (known !== null && !isPermanentRedirect(response.status)) return this.#keep(visit, known);
    return this.#remove(visit, known);
  }

  /** A page that was read before stays: robots.txt forbids to read it again, and says nothing about the page. */
  #robots(visit: Visit, url: URL, known: KnownPage | null): Outcome {
    if (this.#isOnlyStart(visit)) throw new ListingFailed('', `robots.txt of ${url.host} forbids ${url.href}`);
    if (known !== null) return this.#keep(visit, known);
    return this.#skip(visit, { type: 'robots', message: 'robots.txt forbids the page' });
  }

  /** Continues the crawl without a page that fails, and stops it when the host fails. */
  #unavailable(visit: Visit, url: URL, known: KnownPage | null, error: SourceUnavailable, frontier: Frontier): Outcome {
    const failures = (this.#failures.get(url.host) ?? 0) + 1;
    this.#failures.set(url.host, failures);
    if (this.#isOnlyStart(visit) || failures >= MAX_FAILURES) throw error;
    if (visit.isRetry === true) return this.#unreadable(visit, url, known, 'unavailable', error);
    frontier.addAgain(visit);
    return null;
  }

  /** A page that cannot be read now stays as it is; a new one is listed, so that its item shows the error. */
  #unreadable(visit: Visit, url: URL, known: KnownPage | null, version: string, failure: Error): Outcome {
    if (known !== null) return this.#keep(visit, known);
    return { entry: { path: visit.path, url: url.href, version, name: nameOf(url, null) }, failure };
  }

  #keep(visit: Visit, known: KnownPage): Outcome {
    this.#changes[knownKey(visit.path)] = JSON.stringify(known);
    const { url, version, name, time } = known;
    return {
      entry: { path: visit.path, url, version, name, ...(time === null ? {} : { modifiedAt: new Date(time) }) },
    };
  }

  /** Leaves out a page that answered that it is gone or elsewhere. */
  #remove(visit: Visit, known: KnownPage | null): null {
    this.#changes[knownKey(visit.path)] = null;
    if (known !== null) this.#removed.push({ path: visit.path });
    return null;
  }

  #takeRemoved(): { path: string }[] {
    const removed = this.#removed;
    this.#removed = [];
    return removed;
  }

  #skip(visit: Visit, skip: SkipReason): Outcome {
    this.#changes[knownKey(visit.path)] = null;
    return { entry: { path: visit.path, url: visit.url, version: skip.type, skip } };
  }

  /** Returns whether the crawl has nothing but this page to begin with. */
  #isOnlyStart({ url, depth }: Visit): boolean {
    const { startUrls, sitemaps } = this.#config;
    return (
      depth === 0 && startUrls.length === 1 && sitemaps.length === 0 && normalUrl(startUrls[0] ?? '')?.href === url
    );
  }

  async #known(path: string): Promise<KnownPage | null> {
    const value = await this.#context.state.get(knownKey(path));
    return value === null ? null : knownOf(value);
  }

  /** After a change of the configuration, pages are read again for links that were out of scope before. */
  #validators(known: KnownPage | null): Record<string, string> {
    if (known === null || !this.#isSameConfig) return {};
    return {
      ...(known.etag === null ? {} : { 'if-none-match': known.etag }),
      ...(known.modified === null ? {} : { 'if-modified-since': known.modified }),
    };
  }

  /** Returns the stored changes of known pages; none in a dry run, which must not count as a crawl without a page. */
  #takeChanges(): Record<string, string | null> {
    const changes = this.#changes;
    this.#changes = {};
    return this.#context.isDryRun === true ? {} : changes;
  }
}

function tokenOf(token: string): { crawl: string; visited: number } {
  const [crawl = '', visited = '0'] = token.split(' ');
  return { crawl, visited: Number(visited) };
}

const page = (entries: SourceEntry[], resumeToken: string | null): ListingPage => ({
  entries,
  resumeToken,
  completeFolders: [],
  failures: [],
});

/** Moved permanently, and permanent redirect. */
export const isPermanentRedirect = (status: number): boolean => status === 301 || status === 308;

/** Returns the failure of a server that cannot answer now. */
function failureOf(response: SourceResponse): SourceUnavailable | null {
  if (response.status !== 429 && response.status < 500) return null;
  const error = statusError(response);
  return error instanceof SourceUnavailable ? error : null;
}
