import { builtin } from './node-files.ts';
import type { FileSource } from './source.ts';

/**
 * Returns the SHA-256 of a file in hexadecimal. Node, Bun and Deno read it in pieces; browsers hold it in memory
 * meanwhile. Undefined if the content can be read only once, or on a page without WebCrypto (plain HTTP).
 */
export async function sha256(file: FileSource): Promise<string | undefined> {
  if (file.once) return undefined;
  const hash = builtin('node:crypto')?.createHash('sha256');
  if (hash === undefined) return inBrowser(file);
  const reader = file.stream().getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) hash.update(read.value);
  return hash.digest('hex');
}

async function inBrowser({ blob }: FileSource): Promise<string | undefined> {
  const { subtle } = crypto as Partial<Crypto>;
  if (blob === undefined || subtle === undefined) return undefined;
  const digest = new Uint8Array(await subtle.digest('SHA-256', await blob.arrayBuffer()));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
