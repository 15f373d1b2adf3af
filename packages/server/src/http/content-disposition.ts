/**
 * Reads the file name of a `Content-Disposition` header (RFC 6266). The package `content-disposition` refuses headers
 * that common clients send: without a disposition type, with raw UTF-8 bytes, or with backslashes of Windows paths.
 */

const PARAMETER = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/gs;

/** Returns the name as it was sent, `filename*` before `filename`; undefined if the header has none. */
export function readFileName(header: string): string | undefined {
  const parameters = new Map<string, string>();
  // Some clients send the parameter without a disposition type.
  const text = /^\s*filename\*?\s*=/i.test(header) ? `;${header}` : header;
  for (const [, name = '', quoted, bare] of text.matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    // Only quotes and backslashes are unescaped: `C:\temp\a.txt` is a path without escapes.
    if (!parameters.has(key)) parameters.set(key, quoted?.replaceAll(/\\(["\\])/g, '$1') ?? bare?.trim() ?? '');
  }
  const extended = parameters.get('filename*');
  const plain = parameters.get('filename');
  return (
    (extended === undefined ? undefined : decodeExtended(extended)) ??
    (plain === undefined ? undefined : decodeBytes(plain))
  );
}

/** Decodes `charset'language'percent-encoded` (RFC 5987); undefined for another form or bytes outside the charset. */
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

/** Decodes header bytes, which Node passes as Latin-1, as UTF-8 if they are valid UTF-8. */
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
