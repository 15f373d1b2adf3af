import { expect, it } from 'vitest';
import { textOf } from '../../../layout/lines/line.ts';
import type { Word } from '../../../layout/page/page-content.ts';
import { fontStyle } from '../testing/glyph-run.ts';
import { orderDirections } from './mixed-directions.ts';

/** Returns words in the given order, each at the position that it has on the line `shown` from left to right. */
function lineOf(shown: string, order: string, size = 10): Word[] {
  const places = new Map<string, number>();
  let x = 50;
  for (const text of shown.split(' ')) {
    places.set(text, x);
    x += text.length * 0.5 * size + 0.3 * size;
  }
  return order.split(' ').map((text): Word => {
    const x0 = places.get(text) ?? 0;
    const box = { x0, x1: x0 + text.length * 0.5 * size, y0: 90, y1: 100 };
    return { ...box, text, baseline: 98, size, style: fontStyle('Test'), glued: false, angle: 0 };
  });
}

it.each([
  [
    'names',
    'לבדוק כדי Hello World Program בתוכנית',
    'בתוכנית Program World Hello כדי לבדוק',
    'בתוכנית Hello World Program כדי לבדוק',
  ],
  ['formulas', 'קלה היא x + y = 2 המשוואה', 'המשוואה 2 = y + x היא קלה', 'המשוואה x + y = 2 היא קלה'],
  ['text after a formula', 'הקו את מתאר y = 2x הביטוי', 'הביטוי y = 2x הקו את מתאר', 'הביטוי y = 2x מתאר את הקו'],
  ['numbers', 'ספינות היו 2021 - 2019 בשנים', 'בשנים 2019 - 2021 היו ספינות', 'בשנים 2019 - 2021 היו ספינות'],
  ['Arabic', 'البرنامج Open Office باستخدام', 'باستخدام Office Open البرنامج', 'باستخدام Open Office البرنامج'],
])('orders %s in right-to-left lines', (_, shown, order, expected) => {
  expect(textOf(orderDirections(lineOf(shown, order)))).toBe(expected);
});

it('turns the brackets around right-to-left words', () => {
  expect(textOf(orderDirections(lineOf('קטנה( אחת )כולל סירות', 'סירות )כולל אחת קטנה(')))).toBe(
    'סירות (כולל אחת קטנה)',
  );
});

it('turns brackets that are glued to right-to-left words', () => {
  const words = lineOf('( אחת ) סירות', 'סירות ) אחת (').map((word, index) => ({
    ...word,
    glued: index === 2 || index === 3,
  }));
  expect(textOf(orderDirections(words))).toBe('סירות (אחת)');
});

it('leaves lines of pages in other directions, and cells in one row', () => {
  const english = lineOf('The word שלום means peace in Hebrew', 'The word שלום means peace in Hebrew');
  expect(orderDirections(english)).toBe(english);
  const cells = [...lineOf('שלום', 'שלום'), ...lineOf('Peace now', 'now Peace')].map((word, index) => ({
    ...word,
    x0: word.x0 + (index === 0 ? 300 : 0),
    x1: word.x1 + (index === 0 ? 300 : 0),
  }));
  const page = [...lineOf('שלום לכם עולם', 'שלום לכם עולם').map((word) => ({ ...word, baseline: 300 })), ...cells];
  expect(textOf(orderDirections(page))).toBe('שלום לכם עולם שלום now Peace');
});
