import { expect, it } from 'vitest';
import { listMarker } from './list-marker.ts';

it.each([
  ['• Apples', { ordered: false, number: 0, length: 2 }],
  ['\uf0b7 Apples', { ordered: false, number: 0, length: 2 }],
  ['- Apples', { ordered: false, number: 0, length: 2 }],
  ['☒ Apples', { ordered: false, number: 0, length: 0 }],
  ['12. Apples', { ordered: true, number: 12, length: 4 }],
  ['(3) Apples', { ordered: true, number: 3, length: 4 }],
  ['b) Apples', { ordered: true, number: 2, length: 3 }],
  ['b. Apples', { ordered: true, number: 2, length: 3 }],
  ['(iv) Apples', { ordered: true, number: 4, length: 5 }],
])('finds the marker of %s', (text, marker) => {
  expect(listMarker(text)).toEqual(marker);
});

it.each([
  'Apples',
  '1.5 litres',
  '-5 degrees',
  '1998. A year',
  'A. Smith wrote',
  'z. B. in Husum',
  'i. e. at sea',
  'p. 12',
  '•',
  '(45) days prior written notice',
  '(2) Jahren ab Unterzeichnung',
])('finds no marker in %s', (text) => {
  expect(listMarker(text)).toBeUndefined();
});
