import { describe, expect, it } from 'vitest';
import { formatNumber } from './number-format.ts';

describe('formatNumber', () => {
  it.each([
    ['dd.mm.yyyy', 45_000.25, '15.03.2023'],
    ['[$-407]d. mmmm yyyy', 45_000, '15. März 2023'],
    ['[$-de-DE]dddd, dd/mm/yyyy', 45_000, 'Mittwoch, 15/03/2023'],
    ['[$-40C]mmm yyyy', 45_000, 'mars 2023'],
    ['[$-419]d mmmm yyyy', 45_000, '15 марта 2023'],
    ['[$-419]mmmm yyyy', 45_000, 'март 2023'],
    ['[$-411]ggge"年"m"月"d"日"', 45_000, '令和5年3月15日'],
    ['[$-804]yyyy"年"m"月"d"日" aaaa', 45_000, '2023年3月15日 星期三'],
    ['[$-409]d mmmm yyyy h:mm AM/PM', 45_000.5, '15 March 2023 12:00 PM'],
    ['[$-F800]dddd, mmmm dd, yyyy', 45_000, 'Wednesday, March 15, 2023'],
    ['[$-407]#,##0.00\\ [$€]', 1234.5, '1,234.50 €'],
    ['0.0E+00', 1e-10, '1.0E-10'],
    ['General', 1e-10, '1E-10'],
    ['[$-407]General', 2.5, '2.5'],
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
  ])('displays %s as a spreadsheet does', (code, value, shown) => {
    expect(formatNumber(value, code, false)).toBe(shown);
  });

  it('counts days from 1904 if the workbook does', () => {
    expect(formatNumber(1, 'yyyy-mm-dd', true)).toBe('1904-01-02');
  });
});
