import { gzipSync } from 'node:zlib';
import { AddressRules } from '@quire/outbound/address-rules';
import { OutboundClient } from '@quire/outbound/outbound-client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { describeConnector } from '../../conformance.ts';
import { CONTEXT, foldersOfPages, listAll, noAbort, readBody } from '../../conformance/read-source.ts';
import type { ConnectorFixture } from '../../conformance/source.ts';
import { ItemFailed, ListingFailed, SourceUnavailable } from '../../connector-error.ts';
import type { Connector, ConnectorContext, Existence, KnownFile, ListingPage, SourceEntry } from '../../connector.ts';
import { MemoryState } from '../../testing/memory-state.ts';
import { startWebSite, type WebSite } from '../../testing/web-site.ts';
import { webConfig } from './config.ts';
import { WebConnector } from './connector.ts';
import { web } from './descriptor.ts';

const UNLIMITED = 1e9;

const addressOf = (path: string): string => `/${path.split('/').map(encodeURIComponent).join('/')}`;

/** Shows the paths of the suite, which are those below the host, in place of the paths of a site. */
class WithoutHost implements Connector {
  readonly #inner: Connector;

  constructor(inner: Connector) {
    this.#inner = inner;
  }

  async *list(resumeToken: string | null, signal: AbortSignal): AsyncGenerator<ListingPage> {
    for await (const page of this.#inner.list(resumeToken, signal)) {
      yield { ...page, entries: page.entries.map((entry) => ({ ...entry, path: shortPath(entry) })) };
    }
  }

  async fetch(entry: SourceEntry, signal: AbortSignal): ReturnType<Connector['fetch']> {
    return this.#inner.fetch(entry, signal);
  }

  exists(file: KnownFile, signal: AbortSignal): Promise<Existence> {
    return this.#inner.exists(file, signal);
  }

  async test(signal: AbortSignal): Promise<readonly string[]> {
    return (await this.#inner.test(signal)).map((path) => path.slice(path.indexOf('/') + 1));
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}

const shortPath = ({ url }: SourceEntry): string => decodeURIComponent(new URL(url ?? '').pathname.slice(1));

const sitemap = (urls: readonly string[]): string =>
  `<urlset>${urls.map((url) => `<url><loc>${url.replaceAll('&', '&amp;')}</loc></url>`).join('')}</urlset>`;

const fixture: ConnectorFixture = {
  name: 'web',
  without: {
    folder: 'a crawl lists pages and no folders',
    hidden: 'a crawl requests each known page itself',
    links: 'an address is a page, and links between pages are what a crawl follows',
  },
  start: async () => {
    const site = await startWebSite();
    site.fallback = (path) => {
      if (path !== '/sitemap.xml') return null;
      return { body: sitemap([...site.pages.keys()].map((each) => `${site.origin}${each}`)), hasEtag: false };
    };
    const config = webConfig.parse({ startUrls: [], sitemaps: [`${site.origin}/sitemap.xml`], maxPages: 10_000 });
    const open = (context: ConnectorContext): Connector =>
      new WithoutHost(new WebConnector({ ...config, requestsPerSecond: UNLIMITED }, context));
    const file = (path: string): string => addressOf(path);
    return {
      write: async (path, bytes) => void site.pages.set(file(path), { body: bytes, type: 'text/plain' }),
      move: async (from, to) => {
        site.pages.set(file(to), site.pages.get(file(from))!);
        site.pages.delete(file(from));
      },
      remove: async (path) => void site.pages.delete(file(path)),
      confirm: async () => void (await listAll(open(CONTEXT))),
      setFault: async (fault) => void (site.fault = fault),
      open,
      close: () => site.close(),
    };
  },
};

describeConnector(fixture);

async function start(pages: Record<string, string> = {}): Promise<WebSite> {
  const site = await startWebSite();
  onTestFinished(() => site.close());
  for (const [path, body] of Object.entries(pages)) site.pages.set(path, { body });
  return site;
}

const link = (...paths: string[]): string => paths.map((path) => `<a href="${path}">x</a>`).join('');

function crawler(site: WebSite, more: object = {}, context: Partial<ConnectorContext> = {}): Connector {
  const config = webConfig.parse({ startUrls: [`${site.origin}/`], ...more });
  return new WebConnector(
    { ...config, requestsPerSecond: UNLIMITED },
    { ...CONTEXT, state: new MemoryState(), ...context },
  );
}

/** Crawls with a state that is kept for the next crawl. */
function crawls(
  site: WebSite,
  more: object = {},
): (context?: Partial<ConnectorContext>) => Promise<{ entries: SourceEntry[]; pages: ListingPage[] }> {
  const state = new MemoryState();
  return async (context = {}) => {
    const pages: ListingPage[] = [];
    for await (const page of crawler(site, more, { state, ...context }).list(null, noAbort)) {
      state.apply(page.state);
      pages.push(page);
    }
    return { entries: pages.flatMap(({ entries }) => entries), pages };
  };
}

const listed = ({ origin }: WebSite, entries: readonly SourceEntry[]): string[] =>
  entries.map(({ url = '', skip }) => `${url.slice(origin.length)}${skip ? ` (${skip.type})` : ''}`).toSorted();

describe('web', () => {
  test('links are followed to the maximum depth and only on allowed hosts', async () => {
    const site = await start({
      '/': link('/a', 'b/', 'https://elsewhere.example/', 'mailto:x@example.com'),
      '/a': link('/deep', '#top', '/'),
      '/b/': `<base href="/c/">${link('d')}`,
      '/c/d': '',
      '/deep': link('/deeper'),
      '/deeper': '',
    });
    const { entries } = await crawls(site, { maxDepth: 2 })();
    expect(listed(site, entries)).toEqual(['/', '/a', '/b/', '/c/d', '/deep']);
    expect(entries.map(({ name }) => name).toSorted()).toEqual([
      '127.0.0.1.html',
      'a.html',
      'b.html',
      'd.html',
      'deep.html',
    ]);
  });

  test('robots.txt is obeyed, and pages that it forbids are listed as skipped', async () => {
    const site = await start({
      '/robots.txt': 'User-agent: *\nDisallow: /private\nUser-agent: quirebot\nDisallow: /private\nDisallow: /bots',
      '/': link('/private/a', '/bots', '/open'),
      '/private/a': '',
      '/bots': '',
      '/open': '',
    });
    const { entries } = await crawls(site)();
    expect(listed(site, entries)).toEqual(['/', '/bots (robots)', '/open', '/private/a (robots)']);
    expect(site.requests).not.toContain('/bots 200');
  });

  test('a robots.txt that cannot be read stops the crawl', async () => {
    const site = await start({ '/': '' });
    site.pages.set('/robots.txt', { body: '', status: 503 });
    await expect(crawls(site)()).rejects.toBeInstanceOf(SourceUnavailable);
  });

  test('noindex skips a page, nofollow its links, in the page and in the headers', async () => {
    const site = await start({
      '/': link('/noindex', '/nofollow', '/header', '/none') + '<a rel="nofollow" href="/x">x</a>',
      '/noindex': `<meta name="robots" content="noindex">${link('/from-noindex')}`,
      '/nofollow': `<meta name="ROBOTS" content="NoFollow">${link('/x')}`,
      '/none': `<meta name="robots" content="none">${link('/x')}`,
      '/from-noindex': '',
      '/x': '',
    });
    site.pages.set('/header', { body: link('/x'), headers: { 'x-robots-tag': 'noindex, nofollow' } });
    const { entries } = await crawls(site)();
    expect(listed(site, entries)).toEqual([
      '/',
      '/from-noindex',
      '/header (noindex)',
      '/nofollow',
      '/noindex (noindex)',
      '/none (noindex)',
    ]);
  });

  test('a page with another canonical address is listed under that one', async () => {
    const site = await start({
      '/': link('/a?view=print', '/b?sort=1', '/loop-1'),
      '/a?view=print': '<link rel="canonical" href="/a">',
      '/a': '<link rel="canonical" href="/a">',
      '/b': '',
      '/loop-1': '<link rel="canonical" href="/loop-2">',
      '/loop-2': '<link rel="canonical" href="/loop-1">',
    });
    site.pages.set('/b?sort=1', { body: '', headers: { link: '</b>; rel="canonical"' } });
    const { entries } = await crawls(site)();
    expect(listed(site, entries)).toEqual(['/', '/a', '/b', '/loop-2']);
  });

  test('redirects are followed within the site, and end when they turn in a circle', async () => {
    const site = await start({ '/': link('/old', '/out', '/circle-1'), '/new': '' });
    const redirect = (from: string, location: string): void =>
      void site.pages.set(from, { body: '', status: 301, headers: { location } });
    redirect('/old', '/new');
    redirect('/out', 'http://169.254.169.254/latest/');
    redirect('/circle-1', '/circle-2');
    redirect('/circle-2', '/circle-1');
    const { entries } = await crawls(site)();
    expect(listed(site, entries)).toEqual(['/', '/new']);
  });

  test('traps end: calendars, visits in the address, endless queries and repeated segments', async () => {
    const site = await start({ '/': link('/day/1', '/list?q=0', '/rel/') });
    site.fallback = (path) => {
      const day = /^\/day\/(\d+)$/.exec(path)?.[1];
      if (day !== undefined)
        return { body: link(`/day/${Number(day) + 1}`, `/day/${day};jsessionid=${Math.random()}`) };
      if (path.startsWith('/list')) {
        const next = Array.from({ length: 50 }, (_each, at) => `/list?q=${path.length}${at}&PHPSESSID=${at}`);
        return { body: link(...next) };
      }
      return path.startsWith('/rel') ? { body: link('rel/') } : null;
    };
    const { entries, pages } = await crawls(site, { maxDepth: 10, maxPages: 1000 })();
    const count = (prefix: string): number => listed(site, entries).filter((path) => path.startsWith(prefix)).length;
    expect([count('/day/'), count('/rel/'), foldersOfPages(pages)]).toEqual([10, 3, ['']]);
    expect(count('/list')).toBeLessThanOrEqual(101);
  });

  test('an unchanged site answers 304 and its pages keep their versions; new links are found', async () => {
    const site = await start({ '/': link('/a', '/b'), '/a': 'a', '/b': link('/c'), '/c': 'c' });
    const crawl = crawls(site);
    const first = await crawl();
    site.requests.length = 0;
    const second = await crawl();
    expect(second.entries.map(({ version }) => version).toSorted()).toEqual(
      first.entries.map(({ version }) => version).toSorted(),
    );
    expect(site.requests.toSorted()).toEqual(['/ 304', '/a 304', '/b 304', '/c 304', '/robots.txt 404']);
    site.pages.set('/c', { body: link('/new') });
    site.pages.set('/new', { body: 'new' });
    const third = await crawl();
    expect(listed(site, third.entries)).toEqual(['/', '/a', '/b', '/c', '/new']);
  });

  test('a page is deleted only after two crawls without it, and never by an error of the server', async () => {
    const site = await start({ '/': link('/a', '/b', '/c'), '/a': 'a', '/b': 'b', '/c': 'c' });
    const crawl = crawls(site);
    await crawl();
    site.pages.set('/', { body: 'no links any more' });
    site.pages.delete('/a');
    site.pages.set('/b', { body: '', status: 500 });
    site.pages.set('/c', { body: '', status: 410 });
    expect(listed(site, (await crawl()).entries)).toEqual(['/', '/a', '/b', '/c']);
    site.pages.set('/c', { body: 'c' });
    expect(listed(site, (await crawl()).entries)).toEqual(['/', '/b', '/c']);
    site.pages.delete('/c');
    const { entries, pages } = await crawl();
    expect([listed(site, entries), foldersOfPages(pages)]).toEqual([['/', '/b', '/c'], ['']]);
  });

  test('a page that redirects temporarily or that robots.txt forbids now stays; one that moved permanently is reported', async () => {
    const site = await start({ '/': link('/a', '/b', '/c'), '/a': 'a', '/b': 'b', '/c': 'c', '/login': 'login' });
    const crawl = crawls(site);
    await crawl();
    const redirect = (from: string, status: number, location: string): void =>
      void site.pages.set(from, { body: '', status, headers: { location } });
    redirect('/a', 302, '/login');
    redirect('/b', 301, '/new');
    site.pages.set('/new', { body: 'new' });
    site.pages.set('/robots.txt', { body: 'User-agent: *\nDisallow: /c' });
    const { entries, pages } = await crawl();
    expect(listed(site, entries)).toEqual(['/', '/a', '/c', '/login', '/new']);
    const host = new URL(site.origin).host;
    expect(pages.flatMap(({ removed = [] }) => removed)).toEqual([{ path: `${host}/b` }]);
  });

  test('a page that a crawl left out is verified under robots.txt and within the configuration', async () => {
    const site = await start({ '/': 'start', '/a': 'a', '/robots.txt': 'User-agent: *\nDisallow: /private' });
    const connector = crawler(site);
    const answer = (path: string, status: number, headers: Record<string, string> = {}): void =>
      void site.pages.set(path, { body: '', status, headers });
    answer('/moved', 308, { location: '/a' });
    answer('/login', 302, { location: '/a' });
    answer('/closed', 403);
    answer('/gone', 410);
    const exists = (url: string): Promise<string> => connector.exists({ path: 'any', url }, noAbort);
    const found: Record<string, string> = {};
    for (const path of ['/a', '/none', '/gone', '/moved', '/login', '/closed', '/private/a']) {
      found[path] = await exists(`${site.origin}${path}`);
    }
    expect(found).toEqual({
      '/a': 'present',
      '/none': 'absent',
      '/gone': 'absent',
      '/moved': 'absent',
      '/login': 'unknown',
      '/closed': 'unknown',
      '/private/a': 'unknown',
    });
    expect(await exists('http://elsewhere.example/a')).toBe('absent');
    expect(site.requests.filter((request) => request.startsWith('/private'))).toEqual([]);
    answer('/busy', 503, { 'retry-after': '7' });
    await expect(exists(`${site.origin}/busy`)).rejects.toMatchObject({ retryAfterMs: 7000 });
    site.pages.delete('/');
    await expect(crawler(site).exists({ path: 'any', url: `${site.origin}/none` }, noAbort)).rejects.toMatchObject({
      type: 'listing_failed',
      folder: '',
    });
  });

  test('a dry run does not count as a crawl without a page', async () => {
    const site = await start({ '/': link('/a'), '/a': 'a' });
    const crawl = crawls(site);
    await crawl();
    site.pages.delete('/a');
    for (const isDryRun of [true, true, false]) {
      expect(listed(site, (await crawl({ isDryRun })).entries)).toEqual(['/', '/a']);
    }
    expect(listed(site, (await crawl({ isDryRun: true })).entries)).toEqual(['/']);
    expect(listed(site, (await crawl()).entries)).toEqual(['/']);
  });

  test('a site of which more pages are known than a crawl may visit reports no complete folder', async () => {
    const site = await start({ '/': link('/a', '/b'), '/a': '', '/b': '' });
    const { entries, pages } = await crawls(site, { maxPages: 2 })();
    expect([entries.length, foldersOfPages(pages)]).toEqual([2, []]);
  });

  test('sitemaps are read: an index, compressed files, and entities in addresses', async () => {
    const site = await start({ '/a': '', '/b?x=1&y=2': '', '/c': '' });
    const at = (path: string): string => `${site.origin}${path}`;
    const index = `<sitemapindex>${['/1.xml.gz', '/2.txt', '/index.xml'].map((each) => `<sitemap><loc>${at(each)}</loc></sitemap>`).join('')}</sitemapindex>`;
    site.pages.set('/index.xml', { body: index });
    site.pages.set('/1.xml.gz', { body: gzipSync(sitemap([at('/a'), at('/b?x=1&y=2')])) });
    site.pages.set('/2.txt', { body: `${at('/c')}\nhttp://169.254.169.254/\n` });
    const { entries } = await crawls(site, { startUrls: [], sitemaps: [at('/index.xml')] })();
    expect(listed(site, entries)).toEqual(['/a', '/b?x=1&y=2', '/c']);
  });

  test('files that pages link to are listed with the name of their type, and read', async () => {
    const site = await start({ '/': link('/report.pdf', '/download?id=7') });
    site.pages.set('/report.pdf', { body: '%PDF-1.7', type: 'application/pdf', hasEtag: false });
    const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
    site.pages.set('/download?id=7', { body: 'PK', type });
    const connector = crawler(site);
    const entries = (await listAll(connector)).flatMap((page) => page.entries);
    expect(entries.map(({ name }) => name).toSorted()).toEqual(['127.0.0.1.html', 'download.docx', 'report.pdf']);
    for (const entry of entries) {
      const file = await connector.fetch(entry, noAbort);
      expect([entry.name, file.version]).toEqual([entry.name, entry.version]);
      await readBody(file.body);
    }
  });

  test('configured headers are sent to the own origin only', async () => {
    const [site, other] = [await start(), await start({ '/page': '' })];
    site.pages.set('/', { body: link('/moved', `${other.origin}/page`) });
    site.pages.set('/moved', { body: '', status: 302, headers: { location: `${other.origin}/page?from` } });
    const hosts = [`127.0.0.1:${site.port}`, `127.0.0.1:${other.port}`];
    const { entries } = await crawls(site, { headers: { authorization: 'Bearer x' }, allowedHosts: hosts })();
    expect(entries.length).toBe(2);
    expect(new Set(site.headers.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer x']));
    expect(other.headers.map(({ authorization }) => authorization)).toEqual(other.headers.map(() => undefined));
    expect(other.headers.length).toBeGreaterThan(1);
  });

  test('a crawl delay of robots.txt and the rate of the configuration set the pace of a host', async () => {
    const site = await start({ '/robots.txt': 'User-agent: *\nCrawl-delay: 0.05', '/': link('/a', '/b', '/c') });
    for (const path of ['/a', '/b', '/c']) site.pages.set(path, { body: '' });
    const before = performance.now();
    await crawls(site)();
    expect(performance.now() - before).toBeGreaterThanOrEqual(150);
  });

  test('a start URL that robots.txt forbids, is missing or leads elsewhere is a failed listing', async () => {
    const site = await start({ '/robots.txt': 'User-agent: *\nDisallow: /' });
    await expect(crawls(site)()).rejects.toBeInstanceOf(ListingFailed);
    site.pages.clear();
    await expect(crawls(site)()).rejects.toBeInstanceOf(ListingFailed);
    site.pages.set('/', { body: '', status: 302, headers: { location: 'https://elsewhere.example/' } });
    await expect(crawls(site)()).rejects.toBeInstanceOf(ListingFailed);
  });

  test('a test of a site whose start URLs all fail names the failure, and one that is read suffices', async () => {
    const site = await start({ '/': '', '/other': '' });
    const startUrls = [`${site.origin}/`, `${site.origin}/other`];
    const broken = { body: '', status: 418 };
    for (const path of ['/', '/other']) site.pages.set(path, broken);
    await expect(crawler(site, { startUrls }).test(noAbort)).rejects.toMatchObject({
      type: 'source_unavailable',
      message: 'the source answered with HTTP 418',
    });
    site.pages.set('/other', { body: '' });
    expect(await crawler(site, { startUrls }).test(noAbort)).toEqual([`${new URL(site.origin).host}/other`]);
  });

  test('a page below another host is not fetched', async () => {
    const site = await start({ '/': '' });
    const entry = { path: 'elsewhere.example/', url: 'https://elsewhere.example/', version: 'v' };
    await expect(crawler(site).fetch(entry, noAbort)).rejects.toBeInstanceOf(ItemFailed);
  });

  test('an address that is not public is refused before a connection, in every method', async () => {
    const site = await start({ '/': '' });
    const outbound = new OutboundClient(new AddressRules([]));
    const context = { ...CONTEXT, outbound };
    for (const origin of [site.origin, 'http://169.254.169.254', 'http://[::1]:80']) {
      const connector = web.open({ startUrls: [`${origin}/`] }, context);
      const entry = { path: 'x', url: `${origin}/`, version: 'v' };
      const works = [() => listAll(connector), () => connector.test(noAbort), () => connector.fetch(entry, noAbort)];
      for (const work of works) await expect(work()).rejects.toMatchObject({ type: 'address_refused' });
    }
    expect(site.requests).toEqual([]);
  });

  test('a crawl of 2,000 pages is resumed after each page of the listing, with each page requested once', async () => {
    const site = await start();
    const paths = Array.from({ length: 2000 }, (_each, at) => `/p${at}`);
    for (const [at, path] of paths.entries()) {
      site.pages.set(path, { body: link(`/p${at * 2 + 1}`, `/p${at * 2 + 2}`, '/p0') });
    }
    const state = new MemoryState();
    const entries: SourceEntry[] = [];
    let token: string | null = null;
    do {
      const context = { state, maxPageEntries: 100 };
      const limits = { maxDepth: 10, maxPages: 3000 };
      const connector = crawler(site, { startUrls: [`${site.origin}/p0`], ...limits }, context);
      for await (const page of connector.list(token, noAbort)) {
        state.apply(page.state);
        entries.push(...page.entries);
        token = page.resumeToken;
        break;
      }
    } while (token !== null);
    expect(listed(site, entries)).toEqual(paths.toSorted());
    expect(site.requests.filter((each) => /^\/p\d+ 200$/.test(each)).length).toBe(2000);
  });
});

test.each(['ftp://example.com/', 'example.com', 'http://'])('the start URL %s is refused with the reason', (url) => {
  const issues = webConfig.safeParse({ startUrls: [url] }).error?.issues;
  expect(issues?.map(({ path, message }) => [path, message])).toEqual([[['startUrls', 0], 'not an http or https URL']]);
});
