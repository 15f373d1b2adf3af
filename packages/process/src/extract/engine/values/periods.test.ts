import { expect, test } from 'vitest';
import { findPeriods } from './periods.ts';

test.each([
  ['March 2019 – present', ['March 2019', 'present']],
  ['Holm GmbH, 03/2019 bis heute', ['03/2019', 'heute']],
  ['2015-2019', ['2015', '2019']],
  ['Sept. 2015 to June 2018', ['Sept. 2015', 'June 2018']],
  ['janvier 2020 à mars 2021', ['janvier 2020', 'mars 2021']],
  ['2018', ['2018', undefined]],
  ['On tides. 2018', ['2018', undefined]],
  ['Degree (2018)', ['2018', undefined]],
  ['University of Kiel, 2015', ['2015', undefined]],
  ['Kiel 2015 – 2018', ['2015', '2018']],
  ['In 2018 we moved', undefined],
  ['Version 2019 - 2021-04-03 beta', undefined],
])('%s', (text, expected) => {
  const [period] = findPeriods(text);
  const part = (at: { start: number; end: number } | null | undefined): string | undefined =>
    at == null ? undefined : text.slice(at.start, at.end);
  expect(period && [part(period.from), part(period.to)]).toEqual(expected);
});
