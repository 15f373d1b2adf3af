/**
 * Checks whether the processor multiplies bytes without loss (VNNI). Without these instructions the runtime adds two
 * products in 16 bits, which overflow, and the 8-bit recogniser reads worse.
 */
import { readFile } from 'node:fs/promises';

const FLAGS = ['avx512_vnni', 'avx_vnni'];

/** Reads the flags of the processor, on Linux; false on other systems. */
export async function hasByteProducts(): Promise<boolean> {
  // Other systems have no such file, and a sandbox may hide it.
  return listsByteProducts(await readFile('/proc/cpuinfo', 'utf8').catch(() => ''));
}

/** `cpuinfo` is the content of `/proc/cpuinfo`. All processors must have the instructions. */
export function listsByteProducts(cpuinfo: string): boolean {
  const lists = [...cpuinfo.matchAll(/^flags\s*:(.*)$/gm)].map((match) => (match[1] ?? '').split(' '));
  return lists.length > 0 && lists.every((flags) => FLAGS.some((flag) => flags.includes(flag)));
}
