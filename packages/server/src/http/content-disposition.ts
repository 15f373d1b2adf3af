/** The file name in a `Content-Disposition` header (RFC 6266). */

const PARAMETER = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/gs;

/** The name as sent, `filename*` before `filename`; undefined when the header names none. */
export function readFileName(header: string): string | undefined {
  const parameters = new Map<string, string>();
  // A leading parameter without a disposition type is a common mistake, and clear enough.
  const text = /^\s*filename\*?\s*=/i.test(header) ? `;${header}` : header;
  for (const [, name = '', quoted, bare] of text.matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    // Only quotes and backslashes are unescaped: `C:\temp\a.txt` is a path, not a text with escapes.
    if (!parameters.has(key)) parameters.set(key, quoted?.replaceAll(/\\(["\\])/g, '$1') ?? bare?.trim() ?? '');
  }
  const extended = parameters.get('filename*');
  const plain = parameters.get('filename');
  return (
    (extended === undefined ? undefined : decodeExtended(extended)) ??
    (plain === undefined ? undefined : decodeBytes(plain))
  );
}

/** RFC 5987: `charset'language'percent-encoded`; undefined when it is none, or not in its charset. */
function decodeExtended(value: string): string | undefined {
  const match = /^([\w-]+)'[\w-]*'((?:[^%]|%[0-9a-f]{2})*)$/i.exec(value);
  if (match === null) return undefined;
  const bytes = Buffer.from(
    (match[2] ?? '').replaceAll(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
  const charset = (match[1] ?? '').toLowerCase();
  if (charset === 'iso-8859-1') return bytes.toString('latin1');
  return charset === 'utf-8' ? strictUtf8(bytes) : undefined;
}

/** Node gives header bytes as Latin-1; most clients that send anything but ASCII mean UTF-8. */
function decodeBytes(value: string): string {
  return strictUtf8(Buffer.from(value, 'latin1')) ?? value;
}

function strictUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
