/** Parser for sitemaps and indexes of sitemaps, plain or compressed. */
import { gunzipSync } from 'node:zlib';
import { SaxesParser } from 'saxes';

/** Maximum number of addresses in one file, by the protocol. */
const MAX_LOCATIONS = 50_000;
/** Maximum size of a file before compression, by the protocol. */
const MAX_BYTES = 50 * 1024 * 1024;

export interface Sitemap {
  pages: string[];
  sitemaps: string[];
}

/** Parses a sitemap: XML, gzip of it, or text with one address in each line. Throws if compressed data is damaged. */
export function parseSitemap(bytes: Buffer): Sitemap {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const text = (isGzip ? gunzipSync(bytes, { maxOutputLength: MAX_BYTES }) : bytes).toString();
  if (!text.trimStart().startsWith('<')) {
    return {
      pages: text
        .split(/\s+/)
        .filter((line) => /^https?:/.test(line))
        .slice(0, MAX_LOCATIONS),
      sitemaps: [],
    };
  }
  const found: Sitemap = { pages: [], sitemaps: [] };
  const parser = new SaxesParser({ xmlns: false });
  let parents: string[] = [];
  let location = '';
  parser.on('error', () => undefined);
  parser.on('opentag', ({ name }) => {
    parents.push(name.replace(/^.*:/, ''));
    location = '';
  });
  const append = (part: string): void => void (location += part);
  parser.on('text', append);
  parser.on('cdata', append);
  parser.on('closetag', () => {
    const path = parents.join('/');
    if (path === 'urlset/url/loc' && found.pages.length < MAX_LOCATIONS) found.pages.push(location.trim());
    if (path === 'sitemapindex/sitemap/loc' && found.sitemaps.length < MAX_LOCATIONS)
      found.sitemaps.push(location.trim());
    parents = parents.slice(0, -1);
    location = '';
  });
  parser.write(text).close();
  return found;
}
