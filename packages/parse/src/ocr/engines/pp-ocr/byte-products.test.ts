import { describe, expect, it } from 'vitest';
import { listsByteProducts } from './byte-products.ts';

const processor = (flags: string): string =>
  `processor\t: 0\nmodel name\t: any\nflags\t\t: fpu ${flags} sse\nbugs\t\t:\n\n`;

describe('listsByteProducts', () => {
  it('accepts both names of the instructions', () => {
    expect(listsByteProducts(processor('avx2 avx512_vnni').repeat(2))).toBe(true);
    expect(listsByteProducts(processor('avx2 avx_vnni'))).toBe(true);
  });

  it('is false for older processors, for mixed ones and without a list', () => {
    expect(listsByteProducts(processor('avx2'))).toBe(false);
    expect(listsByteProducts(processor('avx_vnni') + processor('avx2'))).toBe(false);
    expect(listsByteProducts('')).toBe(false);
  });
});
