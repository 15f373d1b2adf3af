const SAFE_SCHEMES = new Set(['http', 'https', 'mailto', 'tel', 'ftp']);

/**
 * Returns the link target if it can only navigate; null for `javascript:`, `data:`, `vbscript:`, `file:` and similar.
 * Browsers skip control characters and white space inside a scheme, so these are removed before the check.
 */
export function safeHref(href: string): string | null {
  // oxlint-disable-next-line no-control-regex
  const bare = href.replace(/[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g, '');
  if (bare === '') return null;
  const scheme = /^([^/?#:]*):/.exec(bare)?.[1];
  if (scheme !== undefined && !SAFE_SCHEMES.has(scheme.toLowerCase())) return null;
  return href.trim().replace(/[\r\n\t]+/g, '');
}
