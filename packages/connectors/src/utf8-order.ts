/** Order of texts by their bytes in UTF-8. */

const SURROGATE = /[\uD800-\uDFFF]/;

/**
 * Compares two texts by their bytes in UTF-8. The order of JavaScript, by units of UTF-16, differs from it only where a
 * character outside of the basic plane meets one from U+E000 on.
 */
export function compareUtf8(one: string, other: string): number {
  if (one === other) return 0;
  if (SURROGATE.test(one) || SURROGATE.test(other)) return Buffer.compare(Buffer.from(one), Buffer.from(other));
  return one < other ? -1 : 1;
}
