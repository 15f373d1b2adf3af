/** Rules for addresses of pages: normal form, path of the file, scope, and addresses that never end. */
import { MAX_PATH_BYTES } from '../../connector.ts';
import { pathOfKey } from '../object-storage/keys.ts';
import type { WebConfig } from './config.ts';

/** Query parameters that name a visit and not a page. */
const VISIT =
  /^(?:utm_\w+|gclid|fbclid|msclkid|mc_[ce]id|phpsessid|jsessionid|aspsessionid\w*|sid|sessionid|session_id)$/i;
const SESSION_SEGMENT = /;jsessionid=[^/;]*/gi;
/** Number of times that one segment may occur in a path. Relative links that go wrong repeat segments endlessly. */
const MAX_REPEATS = 3;

/** Returns the normal form of an address; null if it is none of HTTP or too long to be a path. */
export function normalUrl(text: string, base?: string): URL | null {
  if (!URL.canParse(text, base)) return null;
  const url = new URL(text, base);
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null;
  url.hash = '';
  url.pathname = url.pathname.replaceAll(SESSION_SEGMENT, '');
  const pairs = [...url.searchParams].filter(([name]) => !VISIT.test(name));
  if (url.search !== '') url.search = new URLSearchParams(pairs.toSorted(comparePairs)).toString();
  return Buffer.byteLength(pathOf(url)) > MAX_PATH_BYTES ? null : url;
}

const comparePairs = ([one]: [string, string], [other]: [string, string]): number =>
  one === other ? 0 : one < other ? -1 : 1;

/** Returns a segment as it is read, unless other segments would then look the same. */
function readable(segment: string): string {
  try {
    const decoded = decodeURIComponent(segment);
    // eslint-disable-next-line no-control-regex
    return /[%/?\u0000-\u001f]/.test(decoded) ? segment : decoded;
  } catch {
    return segment;
  }
}

/** Returns the path of the file for an address: host, segments and query. */
export function pathOf(url: URL): string {
  const segments = url.pathname.split('/').slice(1).map(readable);
  return pathOfKey([url.host, ...segments].join('/')) + url.search;
}

/** Returns the file name of the document: the last segment, with the extension of its type. */
export function nameOf(url: URL, extension: string | null): string {
  const last = readable(url.pathname.split('/').findLast((segment) => segment !== '') ?? url.hostname);
  if (extension === null || last.toLowerCase().endsWith(extension)) return last;
  return extension === '.html' && /\.x?html?$/i.test(last) ? last : `${last}${extension}`;
}

export class UrlScope {
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;

  constructor({ startUrls, sitemaps, allowedHosts }: WebConfig) {
    const given = [...startUrls, ...sitemaps].map((each) => new URL(each));
    this.#origins = new Set(given.map(({ origin }) => origin));
    // A site without `www.` commonly redirects to the one with it.
    const own = given.flatMap(({ host }) => [host, host.startsWith('www.') ? host.slice(4) : `www.${host}`]);
    this.#hosts = new Set((allowedHosts ?? own).map((host) => host.toLowerCase()));
  }

  contains({ host, pathname }: URL): boolean {
    return this.#hosts.has(host) && !repeats(pathname);
  }

  /** Returns whether the configured headers may be sent there. */
  isOwnOrigin({ origin }: URL): boolean {
    return this.#origins.has(origin);
  }
}

function repeats(pathname: string): boolean {
  const counts = new Map<string, number>();
  for (const segment of pathname.split('/')) {
    if (segment === '') continue;
    const count = (counts.get(segment) ?? 0) + 1;
    if (count > MAX_REPEATS) return true;
    counts.set(segment, count);
  }
  return false;
}
