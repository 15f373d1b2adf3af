import { expect, test } from 'vitest';
import { findDates, monthComesFirst } from './dates.ts';

test.each([
  ['2014-05-07', ['2014-05-07']],
  ['06/03/2018', ['2018-03-06', '2018-06-03']],
  ['25.12.18', ['2018-12-25']],
  ['7. Mai 2014', ['2014-05-07']],
  ['August 3 , 2014', ['2014-08-03']],
  ['1er janvier 2022', ['2022-01-01']],
  ['29 maart 2014', ['2014-03-29']],
  ['16TH DAY OF MARCH, 1999', ['1999-03-16']],
  ['2 de marzo de 2021', ['2021-03-02']],
  ['2014年5月7日', ['2014-05-07']],
  ['31/02/2020', undefined],
  ['1.2.3', undefined],
  ['21.09.13-30.09.13', ['2013-09-21']],
  ['12 / 03 / 2014', ['2014-03-12', '2014-12-03']],
  ['08.30 - 12.30 h', undefined],
  ['10.12.20.30', undefined],
])('%s', (text, readings) => {
  expect(findDates(`on ${text}, then`)[0]?.readings).toEqual(readings);
});

test('a time after the date belongs to it', () => {
  expect(findDates('06/03/2018 12:06:00 PM')[0]?.time).toBe('12:06:00');
  expect(findDates('2020-01-02 1:05 pm')[0]?.time).toBe('13:05:00');
});

test('one date with a single reading decides the order of day and month for all', () => {
  const dates = findDates('01/02/2020 and 03/20/2020');
  expect(monthComesFirst(dates, false)).toBe(true);
  expect(monthComesFirst(findDates('01/02/2020'), false)).toBe(false);
  expect(monthComesFirst(findDates('01/02/2020'), true)).toBe(true);
});
