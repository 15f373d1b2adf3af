/** HMAC with SHA-256 by WebCrypto, which Node, browsers, Bun, Deno and edge runtimes have. */
const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' };
type Bytes = Uint8Array<ArrayBuffer>;

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text);

export async function sign(key: Bytes, content: Bytes): Promise<Bytes> {
  const imported = await crypto.subtle.importKey('raw', key, ALGORITHM, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign(ALGORITHM, imported, content));
}

/** Compares in constant time. */
export async function verify(key: Bytes, signature: Bytes, content: Bytes): Promise<boolean> {
  const imported = await crypto.subtle.importKey('raw', key, ALGORITHM, false, ['verify']);
  return crypto.subtle.verify(ALGORITHM, imported, signature, content);
}

export const toBase64 = (bytes: Bytes): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

/** Returns undefined if the text is not base64. */
export function fromBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  } catch {
    return undefined;
  }
}

export const toBase64Url = (bytes: Bytes): string =>
  toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

/** Returns undefined if the text is not hexadecimal. */
export function fromHex(text: string): Bytes | undefined {
  if (!/^(?:[\da-f]{2})+$/i.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
