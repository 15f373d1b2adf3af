import { describe, expect, it } from 'vitest';
import { formatNumber } from './number-format.ts';

describe('formatNumber', () => {
  it.each([
    ['dd.mm.yyyy', 45_000.25, '15.03.2023'],
    ['[$-407]d. mmmm yyyy', 45_000, '15. March 2023'],
    ['d\\.m\\.yy', 45_000, '15.3.23'],
    ['d.mm.yyyy hh:mm:ss.00', 45_000.25, '15.03.2023 06:00:00.00'],
    ['[h]:mm', 1.5, '36:00'],
    ['0.00 %', 0.5, '50.00%'],
    ['# ?/?', 1.75, '1 3/4'],
    ['0.0" m.y."', 2, '2.0 m.y.'],
    ['General" kg"', 5.25, '5.25 kg'],
    ['"No. "General', 7, 'No. 7'],
    ['0;-0;"nil"', 0, 'nil'],
    ['#,##0.00\\ [$€-407]', 1234.5, '1,234.50 €'],
  ])('shows %s as a spreadsheet does', (code, value, shown) => {
    expect(formatNumber(value, code, false)).toBe(shown);
  });

  it('counts days from 1904 where the workbook does', () => {
    expect(formatNumber(1, 'yyyy-mm-dd', true)).toBe('1904-01-02');
  });
});
