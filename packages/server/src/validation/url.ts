import { oneOf, plural, problem, type Parsed } from './problem.ts';

const MAX_URL_LENGTH = 2083;

const invalid = (error: string): Parsed<string> =>
  problem('url_parsing', `Input should be a valid URL, ${error}`, { error });

/** Reads an absolute URL with one of the schemes (without colon) and normalises it as browsers do. */
export function parseUrl(value: unknown, schemes: readonly string[]): Parsed<string> {
  if (typeof value !== 'string') return problem('url_type', 'URL input should be a string or URL');
  if (value.length > MAX_URL_LENGTH) {
    return problem('url_too_long', `URL should have at most ${plural(MAX_URL_LENGTH, 'character')}`, {
      max_length: MAX_URL_LENGTH,
    });
  }
  let url: URL;
  try {
    url = new URL(value);
  } catch {
    return invalid(reasonFor(value));
  }
  if (!schemes.includes(url.protocol.slice(0, -1))) {
    const expected = oneOf(schemes);
    return problem('url_scheme', `URL scheme should be ${expected}`, { expected_schemes: expected });
  }
  return { value: url.href };
}

/** Returns the reason that pydantic's `url` crate reports; Node reports none. */
function reasonFor(value: string): string {
  if (value.trim() === '') return 'input is empty';
  const scheme = /^\s*[a-z][a-z0-9+.-]*:/i.exec(value);
  if (scheme === null) return 'relative URL without a base';
  const authority = /^[/\\]*([^/\\?#]*)/.exec(value.slice(scheme[0].length))?.[1] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (host === '' || host.startsWith(':')) return 'empty host';
  if (host.startsWith('[')) return /^\[[0-9a-f:.]+\]:/i.test(host) ? 'invalid port number' : 'invalid IPv6 address';
  const port = /:([^:]*)$/.exec(host);
  if (port !== null && !(/^\d*$/.test(port[1] ?? '') && Number(port[1]) <= 65_535)) return 'invalid port number';
  if (/^[\d.]+$/.test(host.split(':', 1)[0] ?? '')) return 'invalid IPv4 address';
  return 'invalid international domain name';
}
