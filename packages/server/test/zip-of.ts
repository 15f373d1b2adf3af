import { strToU8, zipSync } from 'fflate';

/** Returns a ZIP archive of texts by name. */
export const zipOf = (texts: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> =>
  new Uint8Array(zipSync(Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, strToU8(text)]))));
