/** The pages that a crawl begins with: start URLs and the addresses of sitemaps. */
import { ListingFailed } from '../../connector-error.ts';
import { MAX_RESPONSE_BYTES, readResponse, statusError } from '../../http/http-source.ts';
import type { WebConfig } from './config.ts';
import type { Visit } from './frontier.ts';
import type { SiteClient } from './site-client.ts';
import { parseSitemap, type Sitemap } from './sitemap.ts';
import { normalUrl, pathOf, type UrlScope } from './url-rules.ts';

/** Maximum number of sitemaps, counting those of indexes. */
const MAX_SITEMAPS = 500;

/** Returns the visit of an address; nothing if the address is out of scope. */
export function visitsOf(
  scope: UrlScope,
  address: string,
  base: string | undefined,
  depth: number,
  more: Partial<Visit> = {},
): Visit[] {
  const url = normalUrl(address, base);
  if (url === null || !scope.contains(url)) return [];
  return [{ url: url.href, path: pathOf(url), depth, ...more }];
}

/** Reads all sitemaps. Throws if one of them cannot be read, as its pages would be missing. */
export async function readSeeds(
  { startUrls, sitemaps, maxPages }: WebConfig,
  client: SiteClient,
  scope: UrlScope,
  signal: AbortSignal,
): Promise<Visit[]> {
  const addresses = [...startUrls];
  const waiting = [...sitemaps];
  const read = new Set<string>();
  for (let sitemap = waiting.shift(); sitemap !== undefined; sitemap = waiting.shift()) {
    const url = normalUrl(sitemap);
    if (url === null || read.has(url.href) || read.size >= MAX_SITEMAPS) continue;
    if (!sitemaps.includes(sitemap) && !scope.contains(url)) continue;
    read.add(url.href);
    const found = await readSitemap(client, url, signal);
    waiting.push(...found.sitemaps);
    for (const each of found.pages) if (addresses.length < startUrls.length + maxPages) addresses.push(each);
  }
  return addresses.flatMap((address) => visitsOf(scope, address, undefined, 0));
}

async function readSitemap(client: SiteClient, url: URL, signal: AbortSignal): Promise<Sitemap> {
  const response = await client.get(url, MAX_RESPONSE_BYTES * 2, signal);
  const { status } = response;
  if (status === 200) {
    const bytes = await readResponse(response);
    try {
      return parseSitemap(bytes);
    } catch (error) {
      throw new ListingFailed('', `the sitemap ${url.href} cannot be read`, { cause: error });
    }
  }
  response.cancel();
  if (status >= 300 && status < 500 && ![401, 403, 429].includes(status)) {
    throw new ListingFailed('', `the sitemap ${url.href} answered with HTTP ${status}`);
  }
  throw statusError(response);
}
