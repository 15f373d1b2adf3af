/**
 * Office papers in the layouts of letters and forms: invoices, orders, delivery notes, payslips and contracts in four
 * languages. Each layout has a schema of its own, with names and descriptions in the language of its readers.
 */
import { amountIn, cents, dayOf, monthName, two, type Day, type Form } from '../form.ts';
import { widthOf, wrapped, type PlacedText } from '../pdf-page.ts';
import type { Random } from '../random.ts';

export interface Firm {
  name: string;
  street: string;
  town: string;
}

export type Schema = Record<string, unknown>;

export interface Item {
  code: string;
  text: string;
  quantity: number;
  price: number;
  amount: number;
}

export const firm = (name: string, street: string, town: string): Firm => ({ name, street, town });

export const object = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties });
export const text = (description?: string): Schema => ({ type: 'string', ...(description && { description }) });
export const date = (description?: string): Schema => ({ ...text(description), format: 'date' });
export const number = (description?: string): Schema => ({ type: 'number', ...(description && { description }) });
export const list = (items: Schema, description?: string): Schema => ({
  type: 'array',
  items,
  ...(description && { description }),
});

/** Returns lines below each other from a place. */
export const column = (x: number, y: number, lines: readonly string[], size = 10, lead = 14): PlacedText[] =>
  lines.map((line, at) => ({ text: line, x, y: y + at * lead, size }));

export const right = (line: string, x: number, y: number, size = 10): PlacedText => ({
  text: line,
  x: x - widthOf(line, size),
  y,
  size,
});

export const bold = (line: string, x: number, y: number, size = 16): PlacedText => ({
  text: line,
  x,
  y,
  size,
  bold: true,
});

/** Returns paragraphs below each other, with a space between them. */
export function prose(paragraphs: readonly string[], x: number, y: number, width: number): PlacedText[] {
  const placed: PlacedText[] = [];
  let at = y;
  for (const paragraph of paragraphs) {
    for (const line of wrapped(paragraph, width, 10)) {
      placed.push({ text: line, x, y: at, size: 10 });
      at += 13;
    }
    at += 9;
  }
  return placed;
}

/** Returns two to four items whose amount is the product of the others. */
export function itemsOf(random: Random, goods: readonly string[]): Item[] {
  return random.several(goods, random.whole(2, 4)).map((good) => {
    const quantity = random.whole(1, 24);
    const price = cents(random.whole(150, 24_000) / 100);
    return { code: random.digits(5), text: good, quantity, price, amount: cents(quantity * price) };
  });
}

export const sumOf = (items: readonly Item[]): number => cents(items.reduce((sum, { amount }) => sum + amount, 0));

export const dotted = ({ year, month, day }: Day): string => `${two(day)}.${two(month)}.${year}`;
export const slashed = ({ year, month, day }: Day): string => `${two(day)}/${two(month)}/${year}`;
export const american = ({ year, month, day }: Day): string => `${two(month)}/${two(day)}/${year}`;
export const written = (day: Day, language: string): string => `${day.day} ${monthName(day, language)} ${day.year}`;

export interface Paper extends Form {
  schema: Schema;
  /** The paper as a web page in place of pages. */
  html?: string;
}
export type PaperLayout = (random: Random) => Paper;
export { amountIn, cents, dayOf, monthName, two };
